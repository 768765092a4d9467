import { expect, test } from "vitest";
import { hardware, move } from "../core/cost/moves.testing.ts";
import { testMesh } from "../core/plan/graph.testing.ts";
import { costModelOf } from "./cost-model-of.ts";

function model(name: string) {
  const made = costModelOf(name, hardware, testMesh({ a: 4 }));
  if (!made.ok) throw new Error(made.diagnostics[0]?.message);
  return made.value;
}

test("nnscaler: measured points, straight lines between them, and beyond the last", () => {
  const { priceMove } = model("nnscaler");
  const seconds = (mebibytes: number) =>
    priceMove(move("all-reduce", 4, mebibytes * 2 ** 20, [1, 1]));
  expect(seconds(1)).toBe(0.00014941692352294923);
  expect(seconds(1.5)).toBeCloseTo((seconds(1) + seconds(2)) / 2, 15);
  expect(seconds(0.01)).toBe(seconds(0.25));
  expect(seconds(1024)).toBeCloseTo(2 * seconds(512), 12);
  expect(priceMove(move("all-gather", 4, 2 ** 18, [1, 1]))).toBe(0.00030524730682373046);
});

test("nnscaler refuses an axis for which it has no measurement, and says which it has", () => {
  const [fault] = costModelOf("nnscaler", hardware, testMesh({ a: 2, b: 3 })).diagnostics;
  expect(fault?.message).toContain('groups of 2, 4, 8, 16 devices; "b" has 3');
});

test("[mindspore §3.10] mindspore: the worked example of a gather of rows", () => {
  const { priceMove } = model("mindspore");
  const price = priceMove({ ...move("all-gather", 4, 512 * 4, [1, 1]), from: 0 });
  expect(price).toBe(4096 + 400 * 5120);
  expect(priceMove(move("slice", 4, 2048, [1, 1]))).toBe(2048);
});
