import { memo, useMemo } from "react";
import type { BoardFrame, BoardLayout, BoardLine } from "#app/scene/board";
import { edgeArrow } from "#app/scene/card";

interface Props {
  readonly layout: BoardLayout;
  /** Vertical range of the board that is rendered, in board pixels. */
  readonly from: number;
  readonly to: number;
}

/** Height of a band of lines in pixels: scrolling adds whole bands, each rendered once. */
const bandHeight = 800;

/** Layer below the cards: frames of modules, and lines between rows. */
export const BoardLines = memo(function BoardLines({ layout, from, to }: Props) {
  const bands = useMemo(() => bandsOf(layout), [layout]);
  const frames = useMemo(() => layout.rows.flatMap((row) => row.frames), [layout]);
  const { width, height } = layout;
  return (
    <svg className="blines" width={width} height={height} aria-hidden="true">
      {frames.map((frame) => (
        <FrameShape key={frame.id} frame={frame} />
      ))}
      {bands.map(
        ({ key, top, bottom, lines }) =>
          bottom >= from && top <= to && <Band key={key} lines={lines} />,
      )}
    </svg>
  );
});

interface LineBand {
  readonly key: number;
  readonly top: number;
  readonly bottom: number;
  readonly lines: readonly BoardLine[];
}

/** Lines of a board, grouped into bands by their upper ends. */
function bandsOf({ lines }: BoardLayout): readonly LineBand[] {
  const bands: { key: number; top: number; bottom: number; lines: BoardLine[] }[] = [];
  for (const line of lines) {
    const ys = line.points.map(({ y }) => y);
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
    const at = Math.max(0, Math.floor(top / bandHeight));
    const band = bands[at] ?? { key: at, top, bottom, lines: [] };
    band.lines.push(line);
    band.top = Math.min(band.top, top);
    band.bottom = Math.max(band.bottom, bottom);
    bands[at] = band;
  }
  return bands.filter((band) => band !== undefined);
}

/**
 * Lines of one band; lines of equal look share one path, so that moved rows change a few attributes
 * and not one per line.
 */
const Band = memo(function Band({ lines }: Pick<LineBand, "lines">) {
  const { wide, thin, heads } = useMemo(() => joinedLines(lines), [lines]);
  return (
    <>
      {wide !== "" && <path className="bline" d={wide} />}
      {thin !== "" && <path className="bline thin" d={thin} />}
      {heads !== "" && <path className="barrow" d={heads} />}
    </>
  );
});

/**
 * SVG path data of the lines between rows, of the thinner lines beside them, and of their arrow
 * heads.
 * @internal
 */
export function joinedLines(lines: readonly BoardLine[]) {
  const isWide = ({ kind }: BoardLine) => kind === "flow" || kind === "skip";
  const joined = (some: readonly BoardLine[]) => some.map(({ path }) => path).join("");
  const heads = lines.map((line) => {
    const corners = edgeArrow(line)?.map(({ x, y }) => `${x} ${y}`);
    return corners === undefined ? "" : `M${corners.join("L")}Z`;
  });
  return {
    wide: joined(lines.filter(isWide)),
    thin: joined(lines.filter((line) => !isWide(line))),
    heads: heads.join(""),
  };
}

/** Frame of a module; equal modules show as two more edges behind it. */
function FrameShape({
  frame: { x, y, width, height, count, depth },
}: {
  readonly frame: BoardFrame;
}) {
  const behind = count > 1 ? [6, 3] : [];
  return (
    <g className={depth === 0 ? "bframe outer" : "bframe inner"}>
      {behind.map((off) => (
        <path
          key={off}
          className="behind"
          d={`M${x + off} ${y + height + off - 3}v3h${width}v${-height}h-3`}
        />
      ))}
      <rect x={x + 0.5} y={y + 0.5} width={width - 1} height={height - 1} rx={7} />
    </g>
  );
}
