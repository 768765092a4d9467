import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppState } from "./app-state.ts";

/** Services for panels that wait for a painting. */
export interface Waiting {
  /** Calls back after the next painting; returns what calls it off. */
  readonly afterPaint: (then: () => void) => () => void;
  /** Counts the stores that wait, up or down. */
  readonly count: (by: 1 | -1) => void;
}

/** Follows another store, but shows a new plan one painting later. */
export interface DeferredStore<State> {
  readonly seen: StoreApi<State>;
  /** Begins to follow; returns what ends that. */
  readonly follow: () => () => void;
}

/**
 * For panels that may wait: they get a new plan only after the graph and the problems have been
 * painted with it; any other change reaches them at once.
 */
export function createDeferredStore<State extends Pick<AppState, "drawing">>(
  store: StoreApi<State>,
  { afterPaint, count }: Waiting,
): DeferredStore<State> {
  const seen = createStore<State>()(() => store.getState());
  const catchUp = () => seen.setState(store.getState(), true);
  const follow = () => {
    let callOff: (() => void) | undefined;
    const end = store.subscribe((state) => {
      if (callOff !== undefined) return;
      if (state.drawing?.drawn === seen.getState().drawing?.drawn) return catchUp();
      callOff = afterPaint(() => {
        callOff = undefined;
        catchUp();
        count(-1);
      });
      count(1);
    });
    catchUp();
    return () => {
      end();
      if (callOff === undefined) return;
      callOff();
      count(-1);
    };
  };
  return { seen: { ...seen, setState: store.setState }, follow };
}
