import { expect, test } from "vitest";
import { readDocument } from "#systems";

/** Source of each statement with known values, and the number of tensors per run. */
function valuesOf(source: string): readonly string[] {
  const lines = readDocument(source).lines?.();
  return (lines?.values ?? []).map(
    ({ span, runs }) => `${source.slice(span.from, span.to)}: ${runs.map((ids) => ids.length)}`,
  );
}

test("a statement that binds a container has the tensors in it", () => {
  const made = "x, w = Tensor((4, 8)), Parameter((8, 8))\npair = (x @ w, {'again': x @ w})\n";
  expect(valuesOf(made).at(-1)).toContain(": 2");
});

test("what holds itself, or lies deep in others, ends", () => {
  expect(valuesOf("d = {}\nd['d'] = d\ne = d\n")).toEqual([]);
  expect(valuesOf("d = {}\nfor _ in range(20000):\n    d = {'d': d}\n")).toEqual([]);
});

test("lines are the same however often they are asked", () => {
  const { lines } = readDocument("x = Tensor((4, 8))\nfor _ in range(2):\n    y = x + x\n");
  const first = lines?.();
  expect(first?.values.length).toBeGreaterThan(0);
  expect(lines?.()).toEqual(first);
});
