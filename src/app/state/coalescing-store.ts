import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppState } from "./app-state.ts";

/** A store that says what another one does, of an edit together with what follows from it. */
export interface CoalescingStore<State> {
  readonly seen: StoreApi<State>;
  /** Begins to follow; returns how to end it. */
  readonly follow: () => () => void;
  /** Shows at once what is held back. */
  readonly release: () => void;
}

/**
 * An edit waits so long for what follows from it: nobody sees that yet.
 * @internal
 */
export const coalescingMilliseconds = 30;

/**
 * For a page that would otherwise be painted twice: a new text reaches it together with the plan
 * that is worked out from it, if that is soon enough, or without it; all else reaches it at once.
 *
 * @param wait calls back after so many milliseconds; returns how to call it off
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
