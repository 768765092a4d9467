import fc from "fast-check";
import { expect, test } from "vitest";
import { fewestBlocks } from "./fewest-blocks.ts";

/**
 * The result of a search, and its number of questions; `peaks` are the peaks by number of
 * recomputed blocks.
 */
function found(peaks: readonly number[], bytes: number) {
  const search = fewestBlocks(peaks.length - 1, bytes);
  let [step, asked] = [search.next(), 0];
  for (; step.done !== true; asked += 1) step = search.next(peaks[step.value] ?? Number.NaN);
  return { count: step.value, asked };
}

test.each`
  peaks                 | bytes | count
  ${[10, 8, 6, 4]}      | ${10} | ${0}
  ${[10, 8, 6, 4]}      | ${9}  | ${1}
  ${[10, 8, 6, 4]}      | ${6}  | ${2}
  ${[10, 8, 6, 4]}      | ${4}  | ${3}
  ${[10, 8, 6, 4]}      | ${3}  | ${undefined}
  ${[10]}               | ${9}  | ${undefined}
  ${[10, 10, 10, 4, 4]} | ${5}  | ${3}
  ${[NaN, NaN]}         | ${5}  | ${undefined}
`("of $peaks $count hold $bytes", ({ peaks, bytes, count }) => {
  expect(found(peaks, bytes).count).toBe(count);
});

test("whatever each block takes away, the count is the least", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 60 }), fc.nat(3000), (taken, bytes) => {
      const peaks = [0, ...taken].map((_, at) =>
        taken.slice(at).reduce((sum, each) => sum + each, 100),
      );
      const least = peaks.findIndex((peak) => peak <= bytes);
      const { count, asked } = found(peaks, bytes);
      expect(count).toBe(least < 0 ? undefined : least);
      expect(asked).toBeLessThanOrEqual(3 + 3 * Math.ceil(Math.log2(peaks.length + 1)));
    }),
  );
});

test("equal blocks are found with four questions or fewer, however many they are", () => {
  const peaks = Array.from({ length: 97 }, (_, at) => 1000 - 10 * at);
  const asked = [995, 801, 655, 500, 47, 40].map((bytes) => found(peaks, bytes).asked);
  expect(Math.max(...asked)).toBeLessThanOrEqual(4);
});
