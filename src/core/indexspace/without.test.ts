import fc from "fast-check";
import { expect, test } from "vitest";
import { box, cellsOf, runs, show } from "./indexspace.testing.ts";
import { boxWithout } from "./without.ts";

test.each`
  whole        | other        | rest
  ${"0:4"}     | ${"1:2"}     | ${["0:1", "2:4"]}
  ${"0:4"}     | ${"5:9"}     | ${["0:4"]}
  ${"0:4"}     | ${"0:4"}     | ${[]}
  ${"0:0"}     | ${"0:4"}     | ${[]}
  ${""}        | ${""}        | ${[]}
  ${"0:4 0:4"} | ${"1:3 2:4"} | ${["0:1 0:4", "3:4 0:4", "1:3 0:2"]}
`("$whole without $other is $rest", ({ whole, other, rest }) => {
  expect(boxWithout(box(whole), box(other)).map(show)).toEqual(rest);
});

const boxes = fc
  .array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 2, maxLength: 2 })
  .map((ranges) => ranges.map(([start, length]) => ({ start, stop: start + length })));

test("what is left and what is taken away are the cells of the box, each once", () => {
  fc.assert(
    fc.property(boxes, boxes, (whole, other) => {
      const taken = new Set(cellsOf(other));
      const left = cellsOf(whole).filter((cell) => !taken.has(cell));
      expect([...cellsOf(...boxWithout(whole, other))].sort()).toEqual([...left].sort());
    }),
    runs(300),
  );
});
