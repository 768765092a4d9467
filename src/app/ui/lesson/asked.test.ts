import { expect, test } from "vitest";
import { lessons } from "#app/lessons";
import { isAsked, openQuestion } from "./asked.tsx";

const lesson = lessons.find(({ id }) => id === "summed-dim");
if (lesson === undefined) throw new Error("no such lesson");
const open = {
  lesson,
  at: 0,
  texts: new Map(),
  answers: new Map(),
  met: new Map(),
  hints: 0,
  resets: 0,
};
const unsure = { kind: "unsure" } as const;
const shownText = { from: { kind: "lesson", name: "summed-dim", step: 1 } } as const;

test.each([
  ["while it is asked", { lesson: open }, true],
  ["once it is answered", { lesson: { ...open, answers: new Map([[0, unsure]]) } }, false],
  ["once it is given up for another step", { lesson: { ...open, at: 1 } }, false],
  ["without a lesson", { lesson: undefined }, false],
])("bytes are kept back %s: %s", (_, state, isKept) => {
  expect(isAsked({ ...state, shownText }, "comm")).toBe(isKept);
  expect(isAsked({ ...state, shownText }, "time")).toBe(false);
});

test("a question of any kind is open until it is answered, on the text that it is about", () => {
  expect(openQuestion({ lesson: open, shownText })?.kind).toBe("number");
  const answered = { ...open, answers: new Map([[0, unsure]]) };
  expect(openQuestion({ lesson: answered, shownText })).toBeUndefined();
  const other = { from: { kind: "example", name: "summed-dim" } } as const;
  expect(openQuestion({ lesson: open, shownText: other })).toBeUndefined();
});

test("the figures of another text are no answer", () => {
  const other = { from: { kind: "example", name: "summed-dim" } } as const;
  expect(isAsked({ lesson: open, shownText: other }, "comm")).toBe(false);
});
