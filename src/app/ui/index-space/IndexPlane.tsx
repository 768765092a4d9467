import { useMemo, useRef } from "react";
import {
  boxRects,
  drawingOf,
  movedWindow,
  type ProjectionSpace,
  resizedWindow,
  type SpaceDrawing,
  type SpaceStrip,
  wholeOf,
} from "#app/scene/index-space";
import type { Box } from "#core/indexspace";
import { Rects, SpacePaper } from "./SpaceMarks.tsx";
import { useWindowDrag } from "./use-window-drag.ts";

const size = { width: 300, height: 240 };

export interface IndexPlaneProps {
  readonly space: ProjectionSpace;
  readonly window: Box;
  readonly hovered: Box | undefined;
  readonly onWindow: (window: Box) => void;
  readonly onHover: (window: Box | undefined) => void;
}

/** The index space with its window: dragged by pointer, moved and resized by keys. */
export function IndexPlane({ space, window, hovered, onWindow, onHover }: IndexPlaneProps) {
  const svg = useRef<SVGSVGElement>(null);
  const drawing = useMemo(() => drawingOf(space.axes, size), [space]);
  const drag = useWindowDrag({ svg, drawing, window, onWindow, onHover });
  const keys = (row: number | undefined, column: number | undefined) =>
    keysOf({ axes: space.axes, window, onWindow }, row, column);
  const { width, height } = drawing.size;
  return (
    <svg
      ref={svg}
      className="space-svg space-index"
      role="presentation"
      data-testid="projection-index"
      viewBox={`-2 -2 ${width + 4} ${height + 4}`}
      width={width + 4}
      height={height + 4}
      {...drag}
    >
      <SpacePaper drawing={drawing} cuts={space.cuts} />
      <Rects className="sp-touched" rects={boxRects(drawing, window)} />
      <Rects className="sp-window" rects={boxRects(drawing, window)} />
      {hovered !== undefined && <Rects className="sp-hint" rects={boxRects(drawing, hovered)} />}
      {drawing.strips.map((strip) => (
        <AxisHandle
          key={strip.dim}
          {...{ drawing, strip, window }}
          onKeyDown={keys(strip.dim, strip.dim)}
        />
      ))}
      <PlaneHandle
        {...{ drawing, window }}
        name={space.name}
        onKeyDown={keys(drawing.row, drawing.column)}
      />
    </svg>
  );
}

type OnKeyDown = (event: React.KeyboardEvent) => void;

interface HandleProps {
  readonly drawing: SpaceDrawing;
  readonly window: Box;
  readonly onKeyDown: OnKeyDown;
}

/**
 * The element of the drawing that takes the focus and the keys; the pointer may be anywhere on it.
 */
function PlaneHandle({ name, drawing, window, onKeyDown }: HandleProps & { name: string }) {
  const { plane, row, column, dims } = drawing;
  const words = [row, column].flatMap((dim) =>
    dim === undefined ? [] : [`${dims[dim]?.name} ${textOf(window, dim)}`],
  );
  return (
    <rect
      className="sp-handle"
      role="slider"
      tabIndex={0}
      aria-label={`Window of the index space of ${name}`}
      aria-valuenow={window[column ?? 0]?.start ?? 0}
      aria-valuetext={words.join(", ") || "one point"}
      x={plane.x}
      y={plane.y}
      width={plane.width}
      height={plane.height}
      onKeyDown={onKeyDown}
    />
  );
}

function AxisHandle({ strip, drawing, window, onKeyDown }: HandleProps & { strip: SpaceStrip }) {
  const { rect, dim } = strip;
  const axis = drawing.dims[dim];
  return (
    <>
      <text className="sp-name" x={rect.x + 3} y={rect.y + rect.height - 4}>
        {axis?.name}
      </text>
      <rect
        className="sp-handle"
        role="slider"
        tabIndex={0}
        aria-label={`Window of ${axis?.name}`}
        aria-valuenow={window[dim]?.start ?? 0}
        aria-valuetext={textOf(window, dim)}
        x={rect.x}
        y={rect.y}
        width={rect.width}
        height={rect.height}
        onKeyDown={onKeyDown}
      />
    </>
  );
}

function textOf(window: Box, dim: number): string {
  const { start = 0, stop = 0 } = window[dim] ?? {};
  return `${start} to ${stop - 1}`;
}

/** Arrows by one index, by a tenth of the axis with Ctrl; Shift moves the far end alone. */
function keysOf(
  {
    axes,
    window,
    onWindow,
  }: { axes: ProjectionSpace["axes"]; window: Box; onWindow: (window: Box) => void },
  row: number | undefined,
  column: number | undefined,
): OnKeyDown {
  return (event) => {
    if (event.key === "Home") {
      event.preventDefault();
      onWindow(wholeOf(axes));
      return;
    }
    const isDown = event.key === "ArrowUp" || event.key === "ArrowDown";
    const axis = isDown ? row : column;
    const sign = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (sign === undefined || axis === undefined) return;
    event.preventDefault();
    const { start = 0, stop = 0 } = axes[axis]?.range ?? {};
    const by = sign * (event.ctrlKey ? Math.max(1, Math.round((stop - start) / 10)) : 1);
    onWindow((event.shiftKey ? resizedWindow : movedWindow)(axes, window, axis, by));
  };
}
