import { type PointerEvent as ReactPointerEvent, type RefObject, useRef } from "react";
import { indicesAt, movedWindow, type SpaceDrawing } from "#app/scene/index-space";
import type { Box } from "#core/indexspace";
import { holdPointer } from "../gesture/hold-pointer.ts";

interface Options {
  readonly svg: RefObject<SVGSVGElement | null>;
  readonly drawing: SpaceDrawing;
  readonly window: Box;
  readonly onWindow: (window: Box) => void;
  readonly onHover: (window: Box | undefined) => void;
}

type Indices = ReadonlyMap<number, number>;

/**
 * Pointer handlers of an index space, for mouse, pen and finger. A press inside the window moves
 * it, a press beside it draws a new one. Escape puts the old one back.
 */
export function useWindowDrag({ svg, drawing, window, onWindow, onHover }: Options) {
  const isHeld = useRef(false);
  const indices = (event: Pick<PointerEvent, "clientX" | "clientY">): Indices => {
    const box = svg.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return new Map();
    const scale = (drawing.size.width + 4) / box.width;
    const x = (event.clientX - box.left) * scale - 2;
    return indicesAt(drawing, x, (event.clientY - box.top) * scale - 2);
  };
  return {
    onPointerDown: (event: ReactPointerEvent) => {
      if (event.button !== 0 || svg.current === null) return;
      const from = indices(event);
      const kind = isInside(window, from) && !isWhole(drawing, window, from) ? "move" : "draw";
      isHeld.current = true;
      onHover(undefined);
      if (kind === "draw") onWindow(drawn(window, from, from));
      const end = () => {
        isHeld.current = false;
      };
      holdPointer(svg.current, event.pointerId, {
        onMove: (moved) => {
          const at = indices(moved);
          onWindow(kind === "move" ? shifted(drawing, window, from, at) : drawn(window, from, at));
        },
        onDrop: end,
        onGiveUp: () => {
          end();
          onWindow(window);
        },
      });
    },
    onPointerMove: (event: ReactPointerEvent) => {
      if (!isHeld.current && event.pointerType === "mouse") {
        onHover(pointAt(window, indices(event)));
      }
    },
    onPointerLeave: () => onHover(undefined),
  };
}

function isInside(window: Box, at: Indices): boolean {
  return [...at].every(([dim, index]) => {
    const { start = 0, stop = 0 } = window[dim] ?? {};
    return start <= index && index < stop;
  });
}

/** A window that fills its axes cannot be moved, so that a press draws a new one. */
function isWhole({ dims }: SpaceDrawing, window: Box, at: Indices): boolean {
  return [...at.keys()].every((dim) => {
    const { start, stop } = dims[dim]?.range ?? {};
    return window[dim]?.start === start && window[dim]?.stop === stop;
  });
}

/** The point under the pointer along two axes; along the others, where the window begins. */
function pointAt(window: Box, at: Indices): Box {
  return window.map(({ start }, dim) => {
    const index = at.get(dim) ?? start;
    return { start: index, stop: index + 1 };
  });
}

function drawn(window: Box, from: Indices, to: Indices): Box {
  return window.map((range, dim) => {
    const [a, b] = [from.get(dim), to.get(dim) ?? from.get(dim)];
    return a === undefined || b === undefined
      ? range
      : { start: Math.min(a, b), stop: Math.max(a, b) + 1 };
  });
}

function shifted({ dims }: SpaceDrawing, window: Box, from: Indices, at: Indices): Box {
  return [...from].reduce(
    (moved, [dim, index]) => movedWindow(dims, moved, dim, (at.get(dim) ?? index) - index),
    window,
  );
}
