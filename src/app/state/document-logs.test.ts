import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import { freshText } from "#app/texts";
import { testShelf } from "../texts/shelf.testing.ts";
import { type DocumentSlice, documentSlice } from "./document-slice.ts";

const shelf = testShelf();
const one = freshText(shelf, { kind: "new" }, "One");
const two = freshText(shelf, { kind: "new" }, "Two");

/** A page that shows the first text. */
function opened(source: string) {
  const store = createStore<DocumentSlice>()(documentSlice(source, one));
  return { now: () => store.getState(), source: () => store.getState().document.source };
}

test("a text that is shown again can be undone as before, and redone", () => {
  const { now, source } = opened("a");
  now().commit("a b", "Add b");
  now().commit("a b c", "Add c");
  now().undo();
  now().openDocument("other", two);
  now().commit("other!", "Cry");
  now().openDocument("a b", one);
  now().redo();
  expect(source()).toBe("a b c");
  now().undo();
  now().undo();
  expect(source()).toBe("a");
  now().openDocument("other!", two);
  now().undo();
  expect(source()).toBe("other");
  now().undo();
  expect(source()).toBe("other");
});

test("a text that another takes the place of, as one step, keeps its log too", () => {
  const { now, source } = opened("a");
  now().commit("a b", "Add b");
  now().commitOther("example", "Open an example", two);
  now().openDocument("a b", one);
  expect(now().history.past.map(({ label }) => label)).toEqual(["Add b"]);
  now().undo();
  expect(source()).toBe("a");
});

test("what was changed elsewhere meanwhile is one step", () => {
  const { now, source } = opened("a");
  now().commit("a b", "Add b");
  now().openDocument("other", two);
  now().openDocument("a b, elsewhere", one);
  now().undo();
  expect(source()).toBe("a b");
  now().undo();
  expect(source()).toBe("a");
});
