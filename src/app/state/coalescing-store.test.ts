import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import { coalescingMilliseconds, createCoalescingStore } from "./coalescing-store.ts";
import type { CompiledStatus } from "./compiled-slice.ts";
import type { OpenDocument } from "./document-slice.ts";

const [first, second, third] = [textOf("a = 1"), textOf("a = 2"), textOf("a = 3")];
const answer = (): CompiledStatus => ({ kind: "failed", message: "no plan of it" });

function textOf(source: string): OpenDocument {
  return { source, opening: 0 };
}

/** A store, a store that coalesces its changes, and the clock it uses. */
function held() {
  const store = createStore(() => ({ document: first, compiled: answer(), hovered: 0 }));
  let waiting: { readonly milliseconds: number; readonly then: () => void } | undefined;
  const { seen, follow, release } = createCoalescingStore(store, (milliseconds, then) => {
    waiting = { milliseconds, then };
    return () => {
      waiting = undefined;
    };
  });
  return { store, seen, release, end: follow(), waiting: () => waiting };
}

test("what is no new text is seen at once", () => {
  const { store, seen, waiting } = held();
  store.setState({ hovered: 3 });
  expect(seen.getState()).toBe(store.getState());
  expect(waiting()).toBeUndefined();
});

test("a new text is seen together with what follows from it, and with what came meanwhile", () => {
  const { store, seen, waiting } = held();
  const compiled = answer();
  store.setState({ document: second });
  store.setState({ hovered: 5 });
  expect(seen.getState()).toMatchObject({ document: first, hovered: 0 });
  store.setState({ compiled });
  expect(seen.getState()).toMatchObject({ document: second, compiled, hovered: 5 });
  expect(waiting()).toBeUndefined();
});

test("a text whose plan takes long is seen without it, counted from the first edit", () => {
  const { store, seen, waiting } = held();
  store.setState({ document: second });
  const begun = waiting();
  store.setState({ document: third });
  expect(waiting()).toBe(begun);
  expect(begun?.milliseconds).toBe(coalescingMilliseconds);
  begun?.then();
  expect(seen.getState()).toBe(store.getState());
  store.setState({ compiled: answer() });
  expect(seen.getState()).toBe(store.getState());
});

test("what is held back is seen when somebody cannot wait", () => {
  const { store, seen, release, waiting } = held();
  store.setState({ document: second });
  release();
  expect(seen.getState()).toBe(store.getState());
  expect(waiting()).toBeUndefined();
});

test("a document that is opened anew, without a plan, is not held back", () => {
  const { store, seen } = held();
  store.setState({ document: second });
  store.setState({ compiled: { kind: "compiling" } });
  expect(seen.getState()).toBe(store.getState());
});

test("nothing is seen any more, and nothing waits, when it has ended", () => {
  const { store, seen, end, waiting } = held();
  store.setState({ document: second });
  end();
  expect(waiting()).toBeUndefined();
  store.setState({ compiled: answer() });
  expect(seen.getState().document).toBe(first);
});
