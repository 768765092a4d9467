import { expect, test } from "vitest";
import { type Operator, operatorId, type Tensor, tensorId } from "./graph.ts";
import { createStructuralKey } from "./structural-key.ts";

const [annotation, axes, dims] = [{ inputs: [], outputs: [] }, [], []];

function operator(name: string, reads: string, attributes: Operator["attributes"] = {}): Operator {
  return {
    ...{ id: operatorId(name), name, op: "scale", entry: "scale", attributes, call: name },
    ...{ annotation, axes, linear: [], reducesInside: false },
    inputs: [{ tensor: tensorId(reads), dims }],
    outputs: [{ tensor: tensorId(name), dims }],
  };
}

const tensors: Readonly<Record<string, Pick<Tensor, "shape" | "dtype">>> = {
  longer: { shape: [3], dtype: "f32" },
  half: { shape: [2], dtype: "bf16" },
};

const likenessOf = createStructuralKey((id) => tensors[id] ?? { shape: [2], dtype: "f32" });

test("operators are alike whatever their tensors are called", () => {
  expect(likenessOf(operator("b", "a"))).toBe(likenessOf(operator("d", "c")));
});

test.each([
  ["a shape", operator("b", "longer")],
  ["a data type", operator("b", "half")],
  ["an attribute", operator("b", "a", { by: 1 })],
  ["dims of its own", { ...operator("b", "a"), inputs: [{ tensor: tensorId("a"), dims: [] }] }],
  ["another entry", { ...operator("b", "a"), entry: "shift" }],
])("%s tells them apart", (_, other) => {
  expect(likenessOf(other)).not.toBe(likenessOf(operator("b", "a")));
});

test("numbers that are written alike elsewhere tell them apart: infinities, no number, minus zero", () => {
  const numbers = [0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];
  const texts = [...numbers, "NaN", "0", [0]].map((by) => likenessOf(operator("b", "a", { by })));
  expect(new Set(texts).size).toBe(texts.length);
});
