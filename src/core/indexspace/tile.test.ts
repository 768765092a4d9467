import { expect, test } from "vitest";
import { isDense, reachBeside } from "./density.ts";
import { box, rows, show, tile } from "./indexspace.testing.ts";
import { splitEffect } from "./split-effect.ts";
import { isCleanTiling } from "./tile.ts";

test.each`
  row        | index            | dense
  ${"2"}     | ${"0:4"}         | ${false}
  ${"2"}     | ${"0:1"}         | ${true}
  ${"2"}     | ${"0:0"}         | ${true}
  ${"2 x2"}  | ${"0:4"}         | ${true}
  ${"1 4"}   | ${"0:4 0:3"}     | ${true}
  ${"1 5"}   | ${"0:4 0:3"}     | ${false}
  ${"-4 1"}  | ${"0:3 0:4"}     | ${true}
  ${"6 2 1"} | ${"0:2 0:3 0:2"} | ${true}
  ${"0"}     | ${"0:9"}         | ${true}
`("[2.2] the row $row over $index is dense: $dense", ({ row, index, dense }) => {
  expect(rows(row).map((each) => isDense(each, box(index)))).toEqual([dense]);
});

test.each`
  name                    | projection               | index        | axis | effect
  ${"a weight"}           | ${rows("0 0 x3", "0 1")} | ${"0:2 0:4"} | ${0} | ${{ kind: "none" }}
  ${"a row block"}        | ${rows("1 0", "0 0 x3")} | ${"0:2 0:4"} | ${0} | ${{ kind: "clean", dim: 0 }}
  ${"a window of three"}  | ${rows("1 x3")}          | ${"0:8"}     | ${0} | ${{ kind: "halo", dim: 0, cells: 2 }}
  ${"stride 2, window 3"} | ${rows("2 x3")}          | ${"0:4"}     | ${0} | ${{ kind: "halo", dim: 0, cells: 1 }}
  ${"strided access"}     | ${rows("3")}             | ${"0:4"}     | ${0} | ${{ kind: "gap", dim: 0, cells: 2 }}
  ${"outer of a merge"}   | ${rows("4 1")}           | ${"0:3 0:4"} | ${0} | ${{ kind: "clean", dim: 0 }}
  ${"inner of a merge"}   | ${rows("4 1")}           | ${"0:3 0:4"} | ${1} | ${{ kind: "halo", dim: 0, cells: 8 }}
  ${"a diagonal"}         | ${rows("1", "1")}        | ${"0:4"}     | ${0} | ${{ kind: "diagonal", dims: [0, 1] }}
`("[2.3] $name: axis $axis has the effect $effect.kind", ({ projection, index, axis, effect }) => {
  expect(splitEffect(projection, box(index), axis)).toEqual(effect);
  if (effect.kind === "halo" || effect.kind === "clean") {
    const row = projection[effect.dim];
    const reach = reachBeside(row, box(index), axis);
    expect(reach - Math.abs(row.coefficients[axis])).toBe(effect.cells ?? 0);
  }
});

test("[2.4] rows of a convolution share a halo of two", () => {
  const image = rows("1 0 x3", "0 1 x3");
  const grid = [[4, 4], [8]];
  expect(tile(image, box("0:8 0:8"), grid).tiles.map(show)).toEqual(["0:6 0:10", "4:10 0:10"]);
  expect(isCleanTiling(image, box("0:8 0:8"), grid)).toBe(false);
});

test("[2.4] a grid of a linear layer's output is clean, its weight is not", () => {
  const index = box("0:100 0:32");
  const grid = [
    [50, 50],
    [16, 16],
  ];
  expect(isCleanTiling(rows("1 0", "0 1"), index, grid)).toBe(true);
  const weight = rows("0 0 x12", "0 1");
  const { tiles } = tile(weight, index, grid);
  expect(tiles.map(show)).toEqual(["0:12 0:16", "0:12 16:32", "0:12 0:16", "0:12 16:32"]);
  expect(isCleanTiling(weight, index, grid)).toBe(false);
});

test("a merged dim may be cut in its inner axis once the outer one is cut in single indices", () => {
  const merged = rows("4 1");
  const index = box("0:3 0:4");
  expect(isCleanTiling(merged, index, [[3], [2, 2]])).toBe(false);
  const fine = [
    [1, 1, 1],
    [2, 2],
  ];
  const { tiles } = tile(merged, index, fine);
  expect(tiles.map(show)).toEqual(["0:2", "2:4", "4:6", "6:8", "8:10", "10:12"]);
  expect(isCleanTiling(merged, index, fine)).toBe(true);
});

test("pieces without points do not spoil a clean split", () => {
  expect(isCleanTiling(rows("1"), box("0:4"), [[4, 0]])).toBe(true);
  expect(isCleanTiling(rows("0"), box("0:4"), [[4, 0]])).toBe(true);
});
