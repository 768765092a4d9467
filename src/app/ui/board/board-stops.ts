import { createContext, useContext } from "react";

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
