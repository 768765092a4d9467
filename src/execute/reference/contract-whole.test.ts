import { expect, test } from "vitest";
import { callOf } from "#core/ir";
import type { Body, Expr } from "#core/ir/body";
import { testGraph } from "../../core/plan/graph.testing.ts";
import { runOperator } from "./run-operator.ts";
import { exactWhole } from "./whole-tensor.ts";

const size = 6;
const square = (seed: number) =>
  Float64Array.from({ length: size * size }, (_, at) => ((at * seed) % 23) - 11);
const [x, w] = [square(7), square(13)];
const at = (values: Float64Array, row: number, column: number) =>
  values[row * size + column] ?? Number.NaN;

const index = (axis: string): Expr => ({ kind: "index", axis });
const read = (operand: number, places: readonly Expr[] | undefined): Expr => ({
  kind: "read",
  operand,
  ...(places !== undefined && { at: places }),
});

const graph = testGraph({ x: [size, size], w: [size, size] }, [
  { result: "h", annotation: "m k+, k+ n -> m n", inputs: ["x", "w"] },
]);

/** The product with its first operand read at some places. */
function productReading(places: readonly Expr[] | undefined) {
  const [operator] = graph.operators;
  if (operator === undefined) throw new Error("no operator");
  const call = callOf(operator, () => [size, size]);
  const args = [read(0, places), read(1, [index("k"), index("n")])];
  const value: Expr = { kind: "apply", function: "mul", args };
  const body: Body = { tables: [], outputs: [{ over: [{ axis: "k" }], combine: "sum", value }] };
  const operands = [x, w].map((values) => exactWhole([size, size], values));
  return runOperator({ call, body, made: [] }, operands, "integers");
}

test.each([
  ["left out", undefined, (m: number, k: number) => at(x, m, k)],
  ["named", [index("m"), index("k")], (m: number, k: number) => at(x, m, k)],
  ["named in another order", [index("k"), index("m")], (m: number, k: number) => at(x, k, m)],
  ["named twice", [index("k"), index("k")], (_: number, k: number) => at(x, k, k)],
] as const)("a product whose places are %s reads what it names", (_, places, left) => {
  const { outputs, peak } = productReading(places);
  const terms = (cell: number) =>
    Array.from(
      { length: size },
      (_each, k) => left(Math.floor(cell / size), k) * at(w, k, cell % size),
    );
  const sums = Array.from({ length: size * size }, (_each, cell) => terms(cell));
  const total = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0);
  expect([...(outputs[0]?.values ?? [])]).toEqual(sums.map(total));
  expect(peak).toBe(Math.max(...sums.map((all) => total(all.map(Math.abs)))));
});
