import { useMemo } from "react";
import type { Rect } from "#app/scene";
import type { BoardBefore, BoardMarks } from "#app/scene/difference";
import { drawnIn } from "#app/scene/glyph";
import { GlyphPicture } from "../canvas/GlyphPicture.tsx";
import { useApp } from "../store-context.tsx";
import { GoneSends } from "./GoneSends.tsx";

interface Props {
  readonly marks: BoardMarks;
  /** Vertical range of the board that is rendered. */
  readonly from: number;
  readonly to: number;
}

/**
 * Marks of differences from the baseline above the board's cards; hidden from assistive technology,
 * since the cards' names include them.
 */
export function BoardDifference({ marks: { marks, befores, said }, from, to }: Props) {
  const isNear = ({ y, height }: Rect) => y + height >= from && y <= to;
  return (
    <div className="bmarks" aria-hidden="true">
      {befores.filter(isNear).map((before) => (
        <Before key={before.id} before={before} />
      ))}
      {marks.filter(isNear).map(({ id, kind, sign, words, gone, form, x, y, width, height }) => (
        <span
          key={id}
          className={kind === "gone" ? "dgone" : `dmark ${kind}`}
          data-testid={id}
          title={kind === "gone" ? gone.map(({ text }) => text).join("; ") : said.get(id.slice(5))}
          style={
            kind === "gone"
              ? { left: x + width, top: y, height, transform: "translateX(-100%)" }
              : { left: x, top: y, width, height }
          }
        >
          {kind === "gone" ? <GoneSends gone={gone} words={words} form={form} /> : words || sign}
        </span>
      ))}
    </div>
  );
}

function Before({ before }: { readonly before: BoardBefore }) {
  const baseline = useApp((state) => state.baseline?.compiled);
  const { tensor, layout, x, y, width, height } = before;
  const drawn = useMemo(
    () => baseline && drawnIn(baseline, tensor, layout),
    [baseline, tensor, layout],
  );
  const size = useMemo(() => ({ width: width - 2, height: height - 2 }), [width, height]);
  if (drawn === undefined) return null;
  return (
    <span className="bbefore" style={{ left: x, top: y }} data-testid={before.id}>
      <GlyphPicture tensor={drawn} size={size} lit={undefined} />
      <i>→</i>
    </span>
  );
}
