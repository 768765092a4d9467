import { expect, test } from "vitest";
import { propagate } from "#core/plan";
import { type Line, testGraph, testMesh, testRequests } from "../plan/graph.testing.ts";
import { indexRangesOf } from "./index-ranges.ts";
import { lower } from "./lower.ts";

/**
 * Ranges of the last operator, one text per device: `box | inputs | outputs`, boxes with their
 * offsets if not 0.
 */
function rangesOf(
  line: Line,
  shapes: Readonly<Record<string, readonly number[]>>,
  cuts: Readonly<Record<string, string>>,
): readonly string[] {
  const mesh = testMesh({ p: 2, q: 2 }, [3, 1, 0, 2]);
  const graph = testGraph(shapes, [line]);
  const requests = testRequests(mesh, { [line.result]: cuts });
  const program = lower(graph, propagate(graph, mesh, requests).plan);
  const step = program.stages.flatMap(({ steps }) => steps).find(({ kind }) => kind === "local");
  if (step?.kind !== "local") throw new Error("no operator");
  const text = (box: readonly { start: number; stop: number }[]) =>
    box.map(({ start, stop }) => `${start}:${stop}`).join(",");
  return indexRangesOf(program, step).map(({ device, box, inputs, outputs }) => {
    const operands = [...inputs, ...outputs].map((operand) => {
      const shift = operand.offset.some((each) => each > 0) ? `@${operand.offset}` : "";
      return `${text(operand.box)}${shift}`;
    });
    return `${device}: ${text(box)} | ${operands.join(" | ")}`;
  });
}

const matmul: Line = { result: "y", annotation: "m k+, k+ n -> m n", inputs: ["x", "w"] };
const heads: Line = { result: "y", annotation: "(h t^) k, h t^ k -> h t^ k", inputs: ["x", "w"] };
const map: Line = { result: "y", annotation: "a b -> a b", inputs: ["x"] };

test("every device computes its part of the index space, and of every operand what lies under it", () => {
  const ranges = rangesOf(matmul, { x: [4, 6], w: [6, 8] }, { m: "p", k: "q" });
  expect(ranges).toEqual([
    "3: 0:2,0:3,0:8 | 0:2,0:3 | 0:3,0:8 | 0:2,0:8",
    "1: 0:2,3:6,0:8 | 0:2,3:6 | 3:6,0:8 | 0:2,0:8",
    "0: 2:4,0:3,0:8 | 2:4,0:3 | 0:3,0:8 | 2:4,0:8",
    "2: 2:4,3:6,0:8 | 2:4,3:6 | 3:6,0:8 | 2:4,0:8",
  ]);
});

test("a bracket is cut by its outermost axis", () => {
  const ranges = rangesOf(heads, { x: [8, 2], w: [4, 2, 2] }, { h: "q" });
  expect(ranges.slice(0, 2)).toEqual([
    "3: 0:2,0:2,0:2 | 0:4,0:2 | 0:2,0:2,0:2 | 0:2,0:2,0:2",
    "1: 2:4,0:2,0:2 | 4:8,0:2 | 2:4,0:2,0:2 | 2:4,0:2,0:2",
  ]);
});

test("the last devices of an uneven axis have less, or nothing", () => {
  const ranges = rangesOf(map, { x: [5, 2] }, { a: "p*q" });
  expect(ranges).toEqual([
    "3: 0:2,0:2 | 0:2,0:2 | 0:2,0:2",
    "1: 2:4,0:2 | 2:4,0:2 | 2:4,0:2",
    "0: 4:5,0:2 | 4:5,0:2 | 4:5,0:2",
    "2: 5:5,0:2 | 5:5,0:2 | 5:5,0:2",
  ]);
});
