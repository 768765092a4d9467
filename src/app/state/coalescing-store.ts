import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppState } from "./app-state.ts";

/** Follows another store, but shows an edit of the text together with its compiled plan. */
export interface CoalescingStore<State> {
  readonly seen: StoreApi<State>;
  /** Begins to follow; returns a function that ends this. */
  readonly follow: () => () => void;
  /** Shows a held-back state immediately. */
  readonly release: () => void;
}

/**
 * Longest time (ms) that an edit is held back for its compiled plan; too short to be noticed.
 * @internal
 */
export const coalescingMilliseconds = 30;

/**
 * Saves one paint per edit: a new text is shown together with its compiled plan if that arrives
 * within `coalescingMilliseconds`, else without it. Any other change is shown at once.
 *
 * @param wait calls back after a number of milliseconds; returns a function that cancels this
 */
export function createCoalescingStore<State extends Pick<AppState, "document" | "compiled">>(
  store: StoreApi<State>,
  wait: (milliseconds: number, then: () => void) => () => void,
): CoalescingStore<State> {
  const seen = createStore<State>()(() => store.getState());
  let callOff: (() => void) | undefined;
  const release = () => {
    callOff?.();
    callOff = undefined;
    seen.setState(store.getState(), true);
  };
  const follow = () => {
    const end = store.subscribe(() => {
      const [now, before] = [store.getState(), seen.getState()];
      const isAnswered = now.compiled !== before.compiled;
      if (isAnswered || now.document === before.document) release();
      else callOff ??= wait(coalescingMilliseconds, release);
    });
    release();
    return () => {
      end();
      callOff?.();
      callOff = undefined;
    };
  };
  return { seen: { ...seen, setState: store.setState }, follow, release };
}
