import { expect, test } from "vitest";
import { compile } from "#compile";
import { lessonFaults } from "./check-lesson.ts";
import type { Lesson } from "./lesson.ts";
import { challenges, lessons } from "./lessons.ts";
import { firstInOrder } from "./questions.ts";
import { readLesson } from "./read-lesson.ts";

const compiled = (lesson: Lesson) =>
  new Map(Object.entries(lesson.texts).map(([name, text]) => [name, compile(text)]));

test.each([...lessons, ...challenges].map((lesson) => [lesson.id, lesson] as const))(
  "%s: its solutions meet its goals, its starts do not, and what it says is true",
  (_, lesson) => {
    expect(lessonFaults(lesson, compiled(lesson))).toEqual([]);
  },
);

test("things that take time are put in order from the slowest, others from the largest", () => {
  const firsts = [...lessons, ...challenges].flatMap(({ id, steps }) =>
    steps.flatMap(({ ask }) => (ask?.kind === "order" ? [`${id} ${firstInOrder(ask)}`] : [])),
  );
  expect(firsts).toEqual(["columns-then-rows largest", "challenge-meshes slowest"]);
});

test("a question for a figure that the page shows keeps it back", () => {
  const lesson = lessons.find(({ id }) => id === "summed-dim");
  const [first, ...others] = lesson?.steps ?? [];
  if (lesson === undefined || first?.ask === undefined) throw new Error("no such question");
  const open = { ...lesson, steps: [{ ...first, ask: { ...first.ask, hides: [] } }, ...others] };
  expect(lessonFaults(open, compiled(open))).toEqual([
    "step 1: the page shows {bytes}: hides must name comm",
  ]);
});

test("a mistake is told from the right number and from other mistakes", () => {
  const lesson = lessons.find(({ id }) => id === "summed-dim");
  const [first, ...others] = lesson?.steps ?? [];
  if (lesson === undefined || first?.ask?.kind !== "number") throw new Error("no such question");
  const known = first.ask.mistakes ?? [];
  expect(known.length).toBeGreaterThan(3);
  const mistakes = [...known, ...["bytes * 1.01", "size(y) * 1.01", "nobody"].map(mistaken)];
  const more = { ...lesson, steps: [{ ...first, ask: { ...first.ask, mistakes } }, ...others] };
  expect(lessonFaults(more, compiled(more))).toEqual([
    "step 1: {nobody} is no number",
    "step 1: {bytes * 1.01} is right, or another mistake",
    "step 1: {size(y) * 1.01} is right, or another mistake",
  ]);
});

const mistaken = (value: string) => ({ value, says: `Not ${value}.` });

test.each([...lessons, ...challenges].map((lesson) => [lesson.id, lesson] as const))(
  "%s is read back from JSON as it is",
  (_, lesson) => {
    expect(readLesson(JSON.stringify(lesson))).toEqual({ ok: true, lesson });
  },
);
