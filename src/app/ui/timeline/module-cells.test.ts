import { expect, test } from "vitest";
import { figureTotal, moduleFigures } from "#app/scene/figures";
import { compile } from "#compile";
import { moduleCells, withNarrowJoined } from "./module-cells.ts";

/** Operators without modules; one of them has a hundred times the work of each other. */
const text = [
  "mesh = Mesh(dp=2)",
  "x = Tensor((64, 64))",
  ...Array.from({ length: 9 }, (_, at) => `h${at} = gelu(x)`),
  "y = matmul(Tensor((4096, 4096)), Tensor((4096, 4096)))",
  ...Array.from({ length: 7 }, (_, at) => `g${at} = gelu(x)`),
  "",
].join("\n");

test("cells that are too narrow to be told apart are one, with all that they amount to", () => {
  const cells = moduleCells(moduleFigures(compile(text)), "time");
  const drawn = withNarrowJoined(cells, "time", 0.01);
  expect(drawn.map(({ row, node }) => [row, node.name, node.operators.length])).toEqual([
    [0, "step", 17],
    [1, "9 small ones", 9],
    [1, "matmul", 1],
    [1, "7 small ones", 7],
  ]);
  const totalOf = (all: typeof cells) =>
    all.filter(({ row }) => row === 1).map(({ node }) => figureTotal(node.figures.time));
  const sum = (figures: readonly number[]) => figures.reduce((all, each) => all + each, 0);
  expect(sum(totalOf(drawn))).toBeCloseTo(sum(totalOf(cells)), 12);
  const widths = drawn.filter(({ row }) => row === 1).map(({ width }) => width);
  expect(sum(widths)).toBeCloseTo(1, 9);
  expect(withNarrowJoined(cells, "time", 0)).toEqual(cells);
});
