import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import type { Rect } from "#app/scene";
import type { BoardLayout } from "#app/scene/board";
import type { CanvasNode } from "#app/scene/graph";
import { neighbourOf } from "../canvas/roving.ts";
import { pressCard } from "../gesture/card-keys.ts";
import { useAppStore } from "../store-context.tsx";
import { stopsOfFrame } from "./board-stops.ts";
import { sightOf } from "./sight.ts";

interface Given {
  readonly layout: BoardLayout;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly current: string | undefined;
  readonly stopAt: (id: string) => void;
  readonly toggle: (module: string) => void;
}

interface Stop extends Rect {
  readonly id: string;
  readonly opens?: string;
  readonly node?: CanvasNode;
  /** Whether the stop is a button to another layer, whose rows replace those around it. */
  readonly isRunStep?: true;
}

/**
 * Keyboard handler of the board: arrow keys lead from row to row, Enter opens and folds a module,
 * whose head or card keeps the focus.
 */
export function useBoardKeys({ layout, scroller, current, stopAt, toggle }: Given) {
  const store = useAppStore();
  const stops = useMemo(() => new Map(stopsOf(layout).map((stop) => [stop.id, stop])), [layout]);
  const wanted = useRef<readonly string[]>([]);
  const focusOn = (id: string): boolean => {
    const element = scroller.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`);
    element?.focus({ preventScroll: true });
    return element !== null && element !== undefined;
  };
  useLayoutEffect(() => {
    if (wanted.current.some(focusOn)) wanted.current = [];
  });
  const goTo = (stop: Stop) => {
    if (scroller.current !== null) sightOf(scroller.current, stop);
    stopAt(stop.id);
    if (!focusOn(stop.id)) wanted.current = [stop.id];
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof Element) || event.target.closest("[data-node]") === null) return;
    const here = current === undefined ? undefined : stops.get(current);
    if (here === undefined) return;
    if (event.key === "Enter" && here.opens !== undefined) {
      event.preventDefault();
      wanted.current = [`frame-${here.opens}`, `module-${here.opens}`].filter(
        (id) => id !== here.id,
      );
      stopAt(wanted.current[0] ?? here.id);
      return toggle(here.opens);
    }
    if (here.isRunStep && (event.key === "Enter" || event.key === " ")) {
      wanted.current = [here.id];
      return;
    }
    if (here.node !== undefined && pressCard(store, here.node, event))
      return event.preventDefault();
    const next = neighbourOf([...stops.values()], here.id, event);
    const stop = next === undefined ? undefined : stops.get(next);
    if (stop === undefined) return;
    event.preventDefault();
    goTo(stop);
  };
  return { has: (id: string) => stops.has(id), onKeyDown };
}

function stopsOf({ rows }: BoardLayout): readonly Stop[] {
  return rows.flatMap(({ frames, pills, cards }) => [
    ...frames.flatMap((frame) => {
      const [head, ...beside] = stopsOfFrame(frame);
      if (head === undefined) return [];
      return [
        { ...head, opens: frame.module },
        ...beside.map((step): Stop => ({ ...step, isRunStep: true })),
      ];
    }),
    ...pills,
    ...cards.map((card): Stop => {
      const { id, x, y, width, height, opens } = card;
      const node = nodeOf(card);
      return {
        ...{ id, x, y, width, height },
        ...(opens !== undefined && { opens }),
        ...(node !== undefined && { node }),
      };
    }),
  ]);
}

/** Node of the graph canvas for a card of the board, as `pressCard` takes it. */
function nodeOf(card: BoardLayout["rows"][number]["cards"][number]): CanvasNode | undefined {
  const { id, x, y, width, height, operator, tensor } = card;
  const box = { id, x, y, width, height };
  if (operator !== undefined) return { ...box, kind: "operator", operator, name: id, heat: 0 };
  return tensor === undefined ? undefined : { ...box, kind: "input", tensor };
}
