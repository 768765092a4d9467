import { createContext, useContext, useLayoutEffect } from "react";

/** Groups of choices that share one stop of the Tab key. */
export interface Stops {
  /** The label of the group at which the Tab key stops; without one, each group is a stop. */
  readonly current: string | undefined;
  readonly stopAt: (label: string) => void;
  /** Tells of a group that is there; answers how it goes. */
  readonly join: (label: string) => () => void;
}

const alone: Stops = { current: undefined, stopAt: () => {}, join: () => () => {} };

export const StopsContext = createContext<Stops>(alone);

/** Whether the Tab key stops at a group, and what to do as the focus comes to it. */
export function useStop(label: string): {
  readonly tabIndex: 0 | -1;
  readonly onFocus: () => void;
} {
  const { current, stopAt, join } = useContext(StopsContext);
  useLayoutEffect(() => join(label), [join, label]);
  const isStop = current === undefined || current === label;
  return { tabIndex: isStop ? 0 : -1, onFocus: () => stopAt(label) };
}
