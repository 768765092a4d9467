import { createContext, useContext } from "react";
import type { Rect } from "#app/scene";
import type { BoardFrame } from "#app/scene/board";

/** The one place of the board at which the Tab key stops. */
export interface BoardStops {
  readonly current: string | undefined;
  readonly stopAt: (id: string) => void;
}

export const BoardStopsContext = createContext<BoardStops>({
  current: undefined,
  stopAt: () => {},
});

/** Makes a place one of many behind a single stop of the Tab key. */
export function useBoardStop(id: string) {
  const { current, stopAt } = useContext(BoardStopsContext);
  return {
    tabIndex: current === id ? 0 : -1,
    "data-node": id,
    onFocus: () => stopAt(id),
  };
}

/** Width and height of a button that shows another layer. */
const runButton = 20;

/** A way to a neighbour of the layer that is shown, beside the head of its frame. */
export interface RunStep extends Rect {
  readonly id: string;
  readonly name: string;
  /** The layer that it shows; none at the first and at the last one. */
  readonly path: string | undefined;
}

/** The ways to the layers before and behind the one that is shown. */
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

/** Where the focus can stand in a frame: at its head and at what lies beside it. */
export function stopsOfFrame(frame: BoardFrame): readonly (Rect & { readonly id: string })[] {
  return [{ id: frame.id, ...frame.head }, ...runStepsOf(frame)];
}
