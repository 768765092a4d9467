import { expect, test } from "vitest";
import type { Graph } from "#core/ir";
import { testGraph } from "../../core/plan/graph.testing.ts";
import { assignedWeightsText, matchWeights, type StoredTensor, weightsNotes } from "./index.ts";

const plain = testGraph({ "h[0].w": [4, 6], "h[1].w": [4, 6], "out.w": [6, 4] }, []);
const graph: Graph = {
  ...plain,
  tensors: plain.tensors.map((tensor) => ({ ...tensor, role: "parameter" })),
};

function stored(name: string, shape: readonly number[], dtype = "F32"): StoredTensor {
  return { name, shape, dtype, from: 0, to: 0 };
}

test.each(["", "model.", "base.model."])("names are paths of modules, behind '%s'", (prefix) => {
  const names = ["h.0.w", "h.1.w"].map((name) => stored(`${prefix}${name}`, [4, 6]));
  const matched = matchWeights(graph, [...names, stored(`${prefix}out.w`, [6, 4])]);
  expect(matched.taken.map(({ tensor, stored: { name } }) => [tensor.name, name])).toEqual([
    ["h[0].w", `${prefix}h.0.w`],
    ["h[1].w", `${prefix}h.1.w`],
    ["out.w", `${prefix}out.w`],
  ]);
  expect(weightsNotes("net", matched)).toEqual([]);
  expect(assignedWeightsText(matched)).toBe("3 of 3 parameters");
});

test("another shape, a type that is not read, a name too few and one too many are all said", () => {
  const file = [
    stored("h.0.w", [6, 4]),
    stored("h.1.w", [4, 6], "F8_E4M3"),
    stored("norm.w", [4]),
    stored("h.0.w", [4, 6]),
  ];
  const matched = matchWeights(graph, file);
  expect(assignedWeightsText(matched)).toBe("0 of 3 parameters");
  const notes = weightsNotes("net", matched);
  expect(new Set(notes.map(({ code }) => code))).toEqual(new Set(["execute/weights-apart"]));
  expect(notes.map(({ message }) => message)).toEqual([
    '"h.0.w" is 6×4 in the file, which is its transpose, and "h[0].w" is 4×6 here: it is drawn from the seed',
    '"h.1.w" has numbers of the type F8_E4M3, which are not read here: it is drawn from the seed',
    '"net" has no "out.w": drawn from the seed',
    'no parameter of the program is called "norm.w", "h.0.w", which "net" has',
  ]);
});
