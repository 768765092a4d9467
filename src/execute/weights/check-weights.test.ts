import { expect, test } from "vitest";
import type { Graph } from "#core/ir";
import { testGraph } from "../../core/plan/graph.testing.ts";
import { checkWeights } from "./index.ts";

const plain = testGraph({ "h[0].w": [4, 6], "h[1].w": [4, 6], out: [6, 4] }, []);
const graph: Graph = {
  ...plain,
  tensors: plain.tensors.map((tensor) => ({ ...tensor, role: "parameter" })),
};

function messagesOf(tensors: Parameters<typeof checkWeights>[2]): readonly string[] {
  return checkWeights("net", graph, tensors).notes.map(({ message }) => message);
}

test("names without shapes fit by their names, behind a module and before a last .weight", () => {
  const names = ["model.h.0.w.weight", "model.h.1.w.weight", "model.out.weight"];
  const checked = checkWeights(
    "net",
    graph,
    names.map((name) => ({ name })),
  );
  expect(checked).toEqual({ fitting: 3, parameters: 3, tensors: 3, notes: [] });
});

test("another shape, a name too few and one too many are said", () => {
  const found = [
    { name: "h.0.w", shape: [6, 4] },
    { name: "h.1.w", shape: [4, 6] },
    { name: "norm", shape: [4] },
  ];
  expect(checkWeights("net", graph, found).fitting).toBe(1);
  expect(messagesOf(found)).toEqual([
    '"h.0.w" is 6×4, and "h[0].w" is 4×6 here',
    '"net" has no "out"',
    'no parameter of the program is called "norm", which "net" has',
  ]);
});

test("where no name is the same, the shapes are counted, each as often as it is there", () => {
  const found = ["a", "b", "c"].map((name) => ({ name, shape: [4, 6] }));
  expect(messagesOf([...found, { name: "d", shape: [6, 4] }])).toEqual([
    'no name of "net" is that of a parameter; by their shapes 3 of 4 tensors have one of 3 parameters',
  ]);
  expect(messagesOf([{ name: "a" }])).toEqual(['no name of "net" is that of a parameter']);
});
