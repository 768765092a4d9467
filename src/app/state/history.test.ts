import { expect, test } from "vitest";
import { emptyHistory, record, recordTyping, redone, undone } from "./history.ts";

test("typing within half a second is one entry, a pause starts another", () => {
  const first = recordTyping(emptyHistory, "", 0);
  const second = recordTyping(first, "a", 500);
  const third = recordTyping(second, "ab", 1001);
  expect(third.past.map((entry) => entry.source)).toEqual(["", "ab"]);
});

test("a labelled edit ends a typing burst", () => {
  const typed = recordTyping(emptyHistory, "", 0);
  const split = record(typed, "a", "Split w.k over mp");
  expect(recordTyping(split, "b", 1).past.map((entry) => entry.label)).toEqual([
    "Typing",
    "Split w.k over mp",
    "Typing",
  ]);
});

test("redo undoes undo, and an edit forgets what was undone", () => {
  const history = record(record(emptyHistory, "a", "one"), "b", "two");
  const back = undone(history, "c");
  expect(back).toMatchObject({ source: "b", label: "two" });
  const forth = redone(back?.history ?? emptyHistory, "b");
  expect(forth).toMatchObject({ source: "c", label: "two", history: { past: history.past } });
  expect(record(back?.history ?? emptyHistory, "b", "three").future).toEqual([]);
  expect(undone(emptyHistory, "a")).toBeUndefined();
  expect(redone(emptyHistory, "a")).toBeUndefined();
});
