import { createContext, useContext } from "react";
import type { Rect } from "#app/scene";
import type { BoardFrame } from "#app/scene/board";

/** The board's single tab stop. */
export interface BoardStops {
  readonly current: string | undefined;
  readonly stopAt: (id: string) => void;
}

export const BoardStopsContext = createContext<BoardStops>({
  current: undefined,
  stopAt: () => {},
});

/** Props that make an element one of many behind the board's single tab stop. */
export function useBoardStop(id: string) {
  const { current, stopAt } = useContext(BoardStopsContext);
  return {
    tabIndex: current === id ? 0 : -1,
    "data-node": id,
    onFocus: () => stopAt(id),
  };
}

/** Width and height of a button that shows another layer, in board pixels. */
const runButton = 20;

/** Button to a neighbouring layer, beside the head of a frame. */
export interface RunStep extends Rect {
  readonly id: string;
  readonly name: string;
  /** Path of the layer that the button shows; `undefined` at the first and the last layer. */
  readonly path: string | undefined;
}

/**
 * Buttons to the layers before and after the shown one; empty for nested frames and single layers.
 */
export function runStepsOf({ id, runs, head, depth }: BoardFrame): readonly RunStep[] {
  if (runs.length < 2 || depth > 0) return [];
  const at = runs.findIndex(({ isShown }) => isShown);
  const left = head.x + head.width + 2;
  const box = { y: head.y, width: runButton, height: runButton };
  return [
    { id: `${id} before`, name: "The layer before", path: runs[at - 1]?.path, x: left, ...box },
    {
      ...{ id: `${id} next`, name: "The next layer", path: runs[at + 1]?.path },
      ...{ x: left + runButton, ...box },
    },
  ];
}

/** Focusable places of a frame: its head and the buttons beside it. */
export function stopsOfFrame(frame: BoardFrame): readonly (Rect & { readonly id: string })[] {
  return [{ id: frame.id, ...frame.head }, ...runStepsOf(frame)];
}
