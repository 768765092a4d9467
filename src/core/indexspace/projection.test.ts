import { expect, test } from "vitest";
import { box, rows, show } from "./indexspace.testing.ts";
import {
  fitsIndex,
  mixesSigns,
  project,
  projectBox,
  projectCorners,
  translate,
} from "./projection.ts";

const conv = rows("1 0 x3", "0 1 x3");

test.each`
  name                             | projection                         | index             | image
  ${"a matmul's X"}                | ${rows("1 0", "0 0 x3")}           | ${"0:2 0:4"}      | ${"0:2 0:3"}
  ${"a matmul's Y"}                | ${rows("0 0 x3", "0 1")}           | ${"0:2 0:4"}      | ${"0:3 0:4"}
  ${"a tensor that starts at -10"} | ${rows("1 0 + -10", "0 0 + 4 x4")} | ${"0:3 2:4"}      | ${"-10:-7 4:8"}
  ${"a broadcast operand"}         | ${rows("0 0 0", "0 0 1")}          | ${"0:5 0:9 0:10"} | ${"0:1 0:10"}
  ${"a window of three"}           | ${conv}                            | ${"4:8 0:8"}      | ${"4:10 0:10"}
  ${"a stride of two"}             | ${rows("2 x3")}                    | ${"2:4"}          | ${"4:9"}
  ${"steps backwards"}             | ${rows("-1 + 9")}                  | ${"0:10"}         | ${"0:10"}
  ${"windows backwards"}           | ${rows("-1 + 9 x3")}               | ${"0:10"}         | ${"0:12"}
  ${"signs that differ"}           | ${rows("1 -1")}                    | ${"0:3 0:3"}      | ${"-2:3"}
  ${"an empty axis empties all"}   | ${rows("1 0", "0 0 + 7 x5")}       | ${"2:2 3:9"}      | ${"2:2 7:7"}
  ${"an index of rank 0"}          | ${rows("+ 2 x3")}                  | ${""}             | ${"2:5"}
  ${"a tensor of rank 0"}          | ${rows()}                          | ${"0:5"}          | ${""}
`("[2.1] $name is projected onto $image", ({ projection, index, image }) => {
  expect(show(projectBox(projection, box(index)))).toBe(image);
});

test("[2.1] a point touches a block that begins at its image", () => {
  const figure = rows("1 0 + -1", "0 2 x2");
  expect(show(project(figure, [4, 3]))).toBe("3:4 6:8");
});

test("[2.2] the two corners miss cells when a row mixes signs", () => {
  const mixed = rows("1 -1");
  expect(show(projectCorners(mixed, box("0:3 0:3")))).toBe("0:1");
  expect(mixed.map((row) => mixesSigns(row, box("0:3 0:3")))).toEqual([true]);
  expect(mixed.map((row) => mixesSigns(row, box("0:3 1:2")))).toEqual([false]);
});

test("translation moves the block and leaves its size", () => {
  expect(show(project(translate(conv, [-40, 20]), [1, 2]))).toBe("-39:-36 22:25");
});

test("a projection fits an index of as many axes as each row has coefficients", () => {
  expect([0, 1, 2].map((rank) => fitsIndex(conv, rank))).toEqual([false, false, true]);
  expect([0, 1, 2].map((rank) => fitsIndex(rows(), rank))).toEqual([true, true, true]);
});

test("sums stay exact when their terms do not fit into a double", () => {
  const large = 2 ** 31 - 1;
  const far = [{ coefficients: [large, -large], offset: 5, extent: 1 }];
  expect(project(far, [large, large - 1])).toEqual([{ start: large + 5, stop: large + 6 }]);
});

test("zero never carries a sign", () => {
  expect(Object.is(project(rows("-3"), [0])[0]?.start, 0)).toBe(true);
});
