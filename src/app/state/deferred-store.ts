import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppState } from "./app-state.ts";

/** How panels wait. */
export interface Waiting {
  /** Calls back when the page has painted what it has; returns how to call it off. */
  readonly afterPaint: (then: () => void) => () => void;
  /** Counts who waits. */
  readonly count: (by: 1 | -1) => void;
}

/** A store that says what another one does, of a new plan a moment later. */
export interface DeferredStore<State> {
  readonly seen: StoreApi<State>;
  /** Begins to follow; returns how to end it. */
  readonly follow: () => () => void;
}

/**
 * For panels that may wait: a plan that is new reaches them only after what was worked out with it,
 * the graph and the problems first of all, has been painted; everything else reaches them at once.
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
