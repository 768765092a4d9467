import type { StoreApi } from "zustand/vanilla";

/** A selected value that many parts of the page read. */
export interface Question<T> {
  readonly answer: () => T;
  /** Calls back when the value changes; returns a function that ends this. */
  readonly listen: (changed: () => void) => () => void;
  /** Calls back only when the value becomes `value` or stops being `value`. */
  readonly listenFor: (value: T, changed: () => void) => () => void;
}

/** Creates the question of a selector, once per selector; it lives as long as the store. */
export type AskOnce<State> = <T>(select: (state: State) => T) => Question<T>;

/**
 * Runs each selector once per state change, however many listeners it has, and calls only the
 * listeners whose value changed. On a large graph, one subscription per box with its own selector
 * call takes longer than drawing.
 */
export function createAskOnce<State>(store: StoreApi<State>): AskOnce<State> {
  const known = new Map<unknown, unknown>();
  return <T>(select: (state: State) => T) => {
    const before = known.get(select);
    // Each question is stored under its own selector, so its type is that of `select`.
    if (before !== undefined) return before as Question<T>;
    const question = questionOf(store, select);
    known.set(select, question);
    return question;
  };
}

function questionOf<State, T>(store: StoreApi<State>, select: (state: State) => T): Question<T> {
  const answer = () => select(store.getState());
  const all = new Set<() => void>();
  const byValue = new Map<T, Set<() => void>>();
  let told = answer();
  let end: (() => void) | undefined;
  const tell = () => {
    const [before, now] = [told, answer()];
    if (Object.is(before, now)) return;
    told = now;
    for (const listeners of [all, byValue.get(before), byValue.get(now)]) {
      for (const changed of [...(listeners ?? [])]) changed();
    }
  };
  const begun = (listeners: Set<() => void>, changed: () => void, without: () => void) => {
    if (end === undefined) {
      told = answer();
      end = store.subscribe(tell);
    }
    listeners.add(changed);
    return () => {
      listeners.delete(changed);
      if (listeners.size === 0) without();
      if (all.size + byValue.size > 0) return;
      end?.();
      end = undefined;
    };
  };
  return {
    answer,
    listen: (changed) => begun(all, changed, () => {}),
    listenFor: (value, changed) => {
      const listeners = byValue.get(value) ?? new Set();
      byValue.set(value, listeners);
      return begun(listeners, changed, () => byValue.delete(value));
    },
  };
}
