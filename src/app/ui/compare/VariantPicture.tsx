import { memo, useMemo, useRef } from "react";
import type { Size } from "#app/scene";
import {
  type BoardCard,
  type BoardGlyph,
  type BoardPill,
  boardFit,
  boardLayout,
} from "#app/scene/board";
import { drawnIn } from "#app/scene/glyph";
import type { Compiled } from "#compile";
import { CollectiveSteps } from "../atoms/CollectiveSteps.tsx";
import { BoardLines } from "../board/BoardLines.tsx";
import { BoardTexts } from "../board/BoardTexts.tsx";
import { useRoom } from "../board/use-room.ts";
import { GlyphPicture } from "../canvas/GlyphPicture.tsx";
import { Asked } from "../lesson/asked.tsx";

interface Props {
  readonly compiled: Compiled;
}

/** The scale of a picture for which its own size has no room. */
const scale = 0.7;

/** The folded board of a plan, drawn small; nothing on it can be pressed. */
export function VariantPicture({ compiled }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const room = useRoom(box);
  return (
    <div className="vpicture" ref={box} aria-hidden="true">
      {room !== undefined && room.width > 40 && <Picture compiled={compiled} room={room} />}
    </div>
  );
}

const view = { runs: new Map<string, string>(), showsViews: false, forwardOnly: true };

const Picture = memo(function Picture({ compiled, room }: Props & { readonly room: Size }) {
  const layout = useMemo(() => {
    const at = ({ width, height }: Size) =>
      boardLayout(compiled, width, { ...view, ...boardFit(compiled, { width, height }, view) });
    const large = at(room);
    if (large.height <= room.height) return large;
    return at({ width: room.width / scale, height: room.height / scale });
  }, [compiled, room]);
  const { rows } = layout;
  const frames = useMemo(() => rows.flatMap((row) => row.frames), [rows]);
  const fit = Math.min(1, room.height / layout.height, room.width / layout.width);
  const zoom = Math.max(fit, scale / 2);
  return (
    <div
      className={`bpage detail-${layout.detail}`}
      style={{ width: layout.width, height: layout.height, transform: `scale(${zoom})` }}
    >
      <BoardLines layout={layout} from={0} to={layout.height} />
      {frames.map(({ id, texts }) => (
        <BoardTexts key={id} texts={texts} from={origin} />
      ))}
      {rows.flatMap(({ pills }) => pills.map((pill) => <Pill key={pill.id} pill={pill} />))}
      {rows.flatMap(({ cards }) =>
        cards.map((card) => <Card key={card.id} {...{ card, compiled }} />),
      )}
    </div>
  );
});

const origin = { x: 0, y: 0 };

function Card({ card, compiled }: Props & { readonly card: BoardCard }) {
  const { kind, x, y, width, height, texts, glyph } = card;
  return (
    <span
      className={`bcard ${kind} ${height < 20 ? "low" : ""}`}
      style={{ left: x, top: y, width, height }}
    >
      {glyph !== undefined && <Drawing {...{ glyph, compiled }} from={card} />}
      <BoardTexts texts={texts} from={card} />
    </span>
  );
}

interface DrawingProps extends Props {
  readonly glyph: BoardGlyph;
  readonly from: BoardCard;
}

function Drawing({ glyph, compiled, from }: DrawingProps) {
  const { tensor: id, layout, width, height, x, y } = glyph;
  const drawn = useMemo(() => {
    const tensor = compiled.program.graph.tensors.find((each) => each.id === id);
    return tensor && drawnIn(compiled, tensor, layout);
  }, [compiled, id, layout]);
  const size = useMemo(() => ({ width: width - 2, height: height - 2 }), [width, height]);
  if (drawn === undefined) return null;
  return (
    <span className="bglyph" style={{ left: x - from.x, top: y - from.y }}>
      <GlyphPicture tensor={drawn} size={size} lit={undefined} />
    </span>
  );
}

function Pill({ pill }: { readonly pill: BoardPill }) {
  const { lane, x, y, width, height, steps, hasWords, numbers, exposed } = pill;
  return (
    <span
      className={`bpill ${lane} ${exposed === 0 ? "hid" : ""}`}
      style={{ left: x, top: y, width, height }}
    >
      <span className="as-drawn">
        <CollectiveSteps steps={steps} hasWords={hasWords} />
        {numbers !== "" && (
          <span className="q">
            <Asked of="comm">{numbers}</Asked>
          </span>
        )}
      </span>
    </span>
  );
}
