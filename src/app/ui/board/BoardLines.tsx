import { memo } from "react";
import type { BoardFrame, BoardLine, Size } from "#app/scene";

interface Props {
  readonly size: Size;
  readonly lines: readonly BoardLine[];
  readonly frames: readonly BoardFrame[];
}

/** What lies below the cards: frames of modules, and the lines between rows. */
export const BoardLines = memo(function BoardLines({ size, lines, frames }: Props) {
  return (
    <svg className="blines" width={size.width} height={size.height} aria-hidden="true">
      <defs>
        <marker
          id="board-arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="6"
          markerHeight="6"
          orient="auto-start-reverse"
        >
          <path d="M0 .8L7.4 4L0 7.2Z" fill="context-stroke" />
        </marker>
      </defs>
      {frames.map((frame) => (
        <FrameShape key={frame.id} frame={frame} />
      ))}
      {lines.map(({ id, kind, path, hasArrow }) => (
        <path
          key={id}
          className={`bline ${kind}`}
          d={path}
          {...(hasArrow && { markerEnd: "url(#board-arrow)" })}
        />
      ))}
    </svg>
  );
});

/** Equal modules have two more edges behind their frame. */
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
