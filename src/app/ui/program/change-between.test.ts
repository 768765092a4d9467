import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { changeBetween } from "./change-between.ts";

test.each`
  before    | after     | from | to   | text
  ${"ab"}   | ${"aXb"}  | ${1} | ${1} | ${"X"}
  ${"aXb"}  | ${"ab"}   | ${1} | ${2} | ${""}
  ${"aa"}   | ${"aaa"}  | ${2} | ${2} | ${"a"}
  ${"k=dp"} | ${"k=mp"} | ${2} | ${3} | ${"m"}
`("$before becomes $after by one replacement", ({ before, after, from, to, text }) => {
  expect(changeBetween(before, after)).toEqual({ from, to, text });
});

test("equal texts need no change", () => {
  expect(changeBetween("same", "same")).toBeUndefined();
});

test("the change makes one text of the other", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n") });
  const property = fc.property(text, text, (before, after) => {
    const change = changeBetween(before, after);
    expect(applyEdits(before, change === undefined ? [] : [change])).toBe(after);
  });
  fc.assert(property, { seed: 1, numRuns: process.env["SOAK"] ? 5000 : 200 });
});
