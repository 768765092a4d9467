import { expect, test } from "vitest";
import { challenges, lessons } from "#app/lessons";
import { lessonAnswer } from "./lesson.ts";

test("all lessons are listed, and each is given", () => {
  const { lessons: rows } = lessonAnswer({});
  const all = [...lessons, ...challenges];
  expect(rows).toEqual(all.map(({ id, title, minutes }) => ({ name: id, title, minutes })));
  for (const lesson of all) expect(lessonAnswer({ name: lesson.id })).toMatchObject({ lesson });
  expect(lessonAnswer({ name: "nonexistent" })).toMatchObject({ ok: false });
});

test("check finds every lesson true", () => {
  const { ok, diagnostics } = lessonAnswer({ name: "check" });
  expect(diagnostics).toEqual([]);
  expect(ok).toBe(true);
});

const [first] = lessons;

/** The first lesson, with changes to its second step. */
const changed = (act: object, rest: object = {}) => {
  const [ask, step] = first?.steps ?? [];
  return { ...first, steps: [ask, { ...step, act: { ...step?.act, ...act }, ...rest }] };
};

test.each([
  [
    "its solution misses its goal",
    changed({ goal: "ok and bytes > 5" }),
    /sends 0 B, wanted more than 5 B/,
  ],
  ["its start meets its goal", changed({ goal: "ok" }), /its start meets the goal already/],
  ["a bound of seconds is bare", changed({ goal: "ok and time < 0.001" }), /never a bare number/],
  ["a bound of memory is bare", changed({ goal: "2 * 100 >= memory" }), /never a bare number/],
  ["a claim does not hold", changed({}, { claims: ["bytes > 0"] }), /"bytes > 0" does not hold/],
  ["a figure is unknown", changed({}, { say: "{size(q)}" }), /\{size\(q\)\} is unknown/],
  ["a figure cannot be read", changed({}, { say: "{bites}" }), /"bites" is no term/],
])("check finds that %s", (_, lesson, message) => {
  const { ok, diagnostics } = lessonAnswer({ name: "check", lesson });
  expect(ok).toBe(false);
  expect(diagnostics[0]).toMatchObject({ code: "lesson/untrue" });
  expect(diagnostics.map((each) => each.message).join(" ")).toMatch(message);
});

test.each([
  ["no lesson at all", 7],
  ["a field too many", { ...first, script: "alert(1)" }],
  ["too many steps", { ...first, steps: Array.from({ length: 25 }, () => first?.steps[0]) }],
  ["a step without a sentence", { ...first, steps: [{ show: {} }] }],
  ["a text of another kind", { ...first, texts: { a: 3 } }],
])("%s is refused by its form", (_, lesson) => {
  const { ok, diagnostics } = lessonAnswer({ lesson });
  expect(ok).toBe(false);
  expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["lesson/form"]));
});

test("a goal about a run is answered by one", () => {
  const program = lessons.find(({ id }) => id === "find-the-fault")?.texts["net"] ?? "";
  expect(lessonAnswer({ name: "find-the-fault", program })).toMatchObject({ met: true });
});

test("answers are graded, and to know nothing is one", () => {
  const right = (name: string, answers: object) => lessonAnswer({ name, answers })["answers"];
  expect(right("one-matmul", { 1: 3 })).toEqual([{ step: 1, right: true }]);
  expect(right("one-matmul", { 1: null })).toEqual([{ step: 1, right: false }]);
  expect(right("summed-dim", { 1: 3145728 })).toEqual([{ step: 1, right: true }]);
  expect(right("summed-dim", { 1: 2097152 })).toEqual([{ step: 1, right: false }]);
  expect(right("gather-travels", { 1: [1, 2] })).toEqual([{ step: 1, right: true }]);
  expect(right("gather-travels", { 1: [2, 3] })).toEqual([{ step: 1, right: false }]);
  expect(right("layouts-from-a-document", { 1: [2] })).toEqual([{ step: 1, right: true }]);
  expect(right("columns-then-rows", { 3: [1, 2, 3] })).toEqual([{ step: 3, right: true }]);
  expect(lessonAnswer({ name: "one-matmul", answers: { 2: 1 } })).toMatchObject({ ok: false });
});
