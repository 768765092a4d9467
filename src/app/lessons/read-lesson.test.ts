import fc from "fast-check";
import { expect, test } from "vitest";
import { lessons } from "./lessons.ts";
import { readLesson } from "./read-lesson.ts";

const [first] = lessons;

test.each([
  ["no JSON", "{", "the lesson is no JSON"],
  ["a list", "[]", "lesson must be an object"],
  ["more than 64 kB", JSON.stringify("é".repeat(33_000)), "a lesson has at most 65536 bytes"],
  ["a foreign field", JSON.stringify({ ...first, html: "<b>" }), "lesson has no field html"],
  ["an id with spaces", JSON.stringify({ ...first, id: "a b" }), 'lesson.id may not be "a b"'],
  ["no steps", JSON.stringify({ ...first, steps: [] }), "lesson.steps must have 1 to 24 entries"],
  [
    "a question of another kind",
    JSON.stringify({ ...first, steps: [{ ...first?.steps[0], ask: { kind: "essay" } }] }),
    "lesson.steps[0].ask.kind must be one of choice, number, cells, order",
  ],
  ["inherited names", '{"__proto__": {"id": "x"}}', "lesson has no field __proto__"],
])("%s is refused, with its place", (_, json, fault) => {
  const read = readLesson(json);
  expect(read.ok ? [] : read.faults).toContain(fault);
});

/** Paths to all leaves of a value. */
function placesIn(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, each]) => placesIn(each, [...at, key]))];
}

/** Copy of a value with the part at one path replaced. */
function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((each, at) => (String(at) === key ? replaced(each, rest, by) : each));
  }
  if (typeof value !== "object" || value === null) return by;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(fields.set(key, replaced(fields.get(key), rest, by)));
}

const places = placesIn(first);

test("a lesson with anything at one of its places is read, or refused with a reason", () => {
  fc.assert(
    fc.property(fc.nat(places.length - 1), fc.jsonValue(), (at, value) => {
      const changed = JSON.stringify(replaced(first, places[at] ?? [], value));
      const read = readLesson(changed);
      if (read.ok) expect(JSON.stringify(read.lesson)).toBe(changed);
      else expect(read.faults.every((fault) => fault !== "")).toBe(true);
    }),
    { seed: 44, numRuns: 2_000 },
  );
});
