import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppState } from "./app-state.ts";

/** Services for panels that wait for a painting. */
export interface Waiting {
  /** Calls back after the next paint; returns a function that cancels this. */
  readonly afterPaint: (then: () => void) => () => void;
  /** Counts the stores that are waiting, up or down. */
  readonly count: (by: 1 | -1) => void;
}

/** Follows another store, but shows a new plan one paint later. */
export interface DeferredStore<State> {
  readonly seen: StoreApi<State>;
  /** Begins to follow; returns a function that ends this. */
  readonly follow: () => () => void;
}

/**
 * For panels that may wait: they get a new plan only after graph and diagnostics have been painted;
 * any other change reaches them at once.
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
