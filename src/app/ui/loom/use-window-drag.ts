import { type PointerEvent, type RefObject, useRef } from "react";
import { indicesAt, movedWindow, type SpaceDrawing } from "#app/scene";
import type { Box } from "#core/indexspace";

interface Options {
  readonly svg: RefObject<SVGSVGElement | null>;
  readonly drawing: SpaceDrawing;
  readonly window: Box;
  readonly onWindow: (window: Box) => void;
  readonly onHover: (window: Box | undefined) => void;
}

type Indices = ReadonlyMap<number, number>;

/** A press inside the window moves it; one beside it draws another from there on. */
type Drag =
  | { readonly kind: "move"; readonly from: Indices; readonly window: Box }
  | { readonly kind: "draw"; readonly from: Indices; readonly window: Box };

/** Pointer handlers of an index space: mouse, pen and finger alike. */
export function useWindowDrag({ svg, drawing, window, onWindow, onHover }: Options) {
  const drag = useRef<Drag>(undefined);
  const indices = (event: PointerEvent): Indices => {
    const box = svg.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return new Map();
    const scale = (drawing.size.width + 4) / box.width;
    const x = (event.clientX - box.left) * scale - 2;
    return indicesAt(drawing, x, (event.clientY - box.top) * scale - 2);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      const from = indices(event);
      const kind = isInside(window, from) && !isWhole(drawing, window, from) ? "move" : "draw";
      drag.current = { kind, from, window };
      svg.current?.setPointerCapture(event.pointerId);
      onHover(undefined);
      if (kind === "draw") onWindow(drawn(window, from, from));
    },
    onPointerMove: (event: PointerEvent) => {
      const at = indices(event);
      const current = drag.current;
      if (current === undefined) {
        if (event.pointerType === "mouse") onHover(pointAt(window, at));
      } else if (current.kind === "move") {
        onWindow(shifted(drawing, current, at));
      } else onWindow(drawn(current.window, current.from, at));
    },
    onPointerUp: () => {
      drag.current = undefined;
    },
    onPointerCancel: () => {
      drag.current = undefined;
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

/** A window that has no room to move is drawn anew. */
function isWhole({ dims }: SpaceDrawing, window: Box, at: Indices): boolean {
  return [...at.keys()].every((dim) => {
    const { start, stop } = dims[dim]?.range ?? {};
    return window[dim]?.start === start && window[dim]?.stop === stop;
  });
}

/** One point of the axes under the pointer; the others as the window begins. */
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

function shifted({ dims }: SpaceDrawing, { from, window }: Drag, at: Indices): Box {
  return [...from].reduce(
    (moved, [dim, index]) => movedWindow(dims, moved, dim, (at.get(dim) ?? index) - index),
    window,
  );
}
