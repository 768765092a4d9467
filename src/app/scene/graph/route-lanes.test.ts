import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "./layouts.testing.ts";
import { lanesOf } from "./route-lanes.ts";

const stretch = fc
  .tuple(fc.nat(1000), fc.integer({ min: 1, max: 600 }))
  .map(([from, length]) => ({ from, to: from + length }));

test("no two stretches of one lane touch, however many there are", () => {
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 160 }), (stretches) => {
      const lanes = lanesOf(stretches);
      const clashes = stretches.flatMap((one, at) =>
        stretches.slice(at + 1).filter((other, beyond) => {
          const isSameLane = lanes[at] === lanes[at + 1 + beyond];
          return isSameLane && one.from < other.to && other.from < one.to;
        }),
      );
      expect(clashes).toEqual([]);
      expect(lanes.every((lane) => lane >= 0)).toBe(true);
    }),
    runs(60),
  );
});

test("a short stretch lies inside a long one", () => {
  expect(
    lanesOf([
      { from: 0, to: 100 },
      { from: 10, to: 20 },
      { from: 40, to: 60 },
    ]),
  ).toEqual([1, 0, 0]);
});
