import { expect, test } from "vitest";
import { coverageOf, isExactCover, overlapsOf } from "./coverage.ts";
import { box, show } from "./indexspace.testing.ts";
import { chunkLengths, cutBox, cutRange } from "./pieces.ts";
import { containsBox } from "./range.ts";

test.each`
  target       | boxes                     | outside | overlaps       | gaps
  ${"0:10"}    | ${["0:5", "5:10"]}        | ${[]}   | ${[]}          | ${[]}
  ${"0:10"}    | ${["0:5", "6:10"]}        | ${[]}   | ${[]}          | ${["5:6"]}
  ${"0:10"}    | ${["0:6", "0:2", "8:10"]} | ${[]}   | ${["0,1 0:2"]} | ${["6:8"]}
  ${"0:10"}    | ${["0:11"]}               | ${[0]}  | ${[]}          | ${[]}
  ${"0:10"}    | ${[]}                     | ${[]}   | ${[]}          | ${["0:10"]}
  ${"0:0"}     | ${[]}                     | ${[]}   | ${[]}          | ${[]}
  ${"0:4 0:4"} | ${["0:2 0:2", "2:4 2:4"]} | ${[]}   | ${[]}          | ${["0:2 2:4", "2:4 0:2"]}
  ${"0:4 0:4"} | ${["0:4 0:1", "0:4 3:4"]} | ${[]}   | ${[]}          | ${["0:4 1:3"]}
  ${""}        | ${[""]}                   | ${[]}   | ${[]}          | ${[]}
  ${""}        | ${["", ""]}               | ${[]}   | ${["0,1 "]}    | ${[]}
  ${""}        | ${[]}                     | ${[]}   | ${[]}          | ${[""]}
  ${"0:10"}    | ${["0:10", "3:3"]}        | ${[]}   | ${[]}          | ${[]}
`("[3] $boxes over $target", ({ target, boxes, outside, overlaps, gaps }) => {
  const found = coverageOf(box(target), boxes.map(box));
  expect(found.outside).toEqual(outside);
  const pairs = found.overlaps.map(
    ({ first, second, cells }) => `${first},${second} ${show(cells)}`,
  );
  expect(pairs).toEqual(overlaps);
  expect(found.gaps.map(show)).toEqual(gaps);
  const isFaultless = outside.length + overlaps.length + gaps.length === 0;
  expect(isExactCover(box(target), boxes.map(box))).toBe(isFaultless);
});

test("at most so many overlaps and gaps are listed", () => {
  const same = Array.from({ length: 9 }, () => box("0:2"));
  expect(coverageOf(box("0:2"), same, 4).overlaps.length).toBe(4);
  expect(overlapsOf(same).length).toBe(36);
  const every = Array.from({ length: 9 }, (_, at) => box(`${2 * at}:${2 * at + 1}`));
  expect(coverageOf(box("0:18"), every, 4).gaps.map(show)).toEqual(["1:2", "3:4", "5:6", "7:8"]);
});

test("chunks are as long as asked for, the last one may be shorter", () => {
  expect([chunkLengths(10, 4), chunkLengths(5, 3), chunkLengths(8, 5)]).toEqual([
    [4, 4, 2],
    [3, 2],
    [5, 3],
  ]);
  expect([chunkLengths(3, 9), chunkLengths(0, 2)]).toEqual([[3], [0]]);
  expect(() => chunkLengths(4, 0)).toThrow();
});

test("lengths that do not add up are refused", () => {
  expect(() => cutRange({ start: 0, stop: 4 }, [1, 2])).toThrow();
  expect(() => cutRange({ start: 0, stop: 4 }, [5, -1])).toThrow();
});

test("a box is cut into a grid whose last axis runs fastest", () => {
  expect(
    cutBox(box("0:4 2:4"), [
      [3, 1],
      [1, 1],
    ]).map(show),
  ).toEqual([...["0:3 2:3", "0:3 3:4", "3:4 2:3", "3:4 3:4"]]);
});

test.each`
  outer        | inner        | contained
  ${"0:2 0:3"} | ${"2:2 3:3"} | ${true}
  ${"0:2 0:3"} | ${"3:3 0:0"} | ${false}
  ${"0:2"}     | ${"0:3"}     | ${false}
  ${""}        | ${""}        | ${true}
`("[2.1] $outer contains $inner: $contained", ({ outer, inner, contained }) => {
  expect(containsBox(box(outer), box(inner))).toBe(contained);
});
