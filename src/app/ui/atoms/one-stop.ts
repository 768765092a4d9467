import { createContext, useContext, useLayoutEffect } from "react";

/** Radio groups that share one tab stop. */
export interface Stops {
  /** Label of the group that is the tab stop; `undefined` if each group is its own. */
  readonly current: string | undefined;
  readonly stopAt: (label: string) => void;
  /** Registers a mounted group; returns the function that removes it. */
  readonly join: (label: string) => () => void;
}

const alone: Stops = { current: undefined, stopAt: () => {}, join: () => () => {} };

export const StopsContext = createContext<Stops>(alone);

/** Tab index of a radio group, and a handler that makes it the tab stop when it gets the focus. */
export function useStop(label: string): {
  readonly tabIndex: 0 | -1;
  readonly onFocus: () => void;
} {
  const { current, stopAt, join } = useContext(StopsContext);
  useLayoutEffect(() => join(label), [join, label]);
  const isStop = current === undefined || current === label;
  return { tabIndex: isStop ? 0 : -1, onFocus: () => stopAt(label) };
}
