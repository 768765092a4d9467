import { expect, test } from "vitest";
import { type Graph, type TensorId, tensorId } from "#core/ir";
import { sampleCalls } from "./calls.testing.ts";
import { leafValues, runReference } from "./index.ts";
import { gradientCalls, graphOf } from "./operator.testing.ts";

type Values = ReadonlyMap<TensorId, Float64Array>;

const step = 1e-5;

/** The sum of all results times given weights. */
function weighted(graph: Graph, inputs: Values, weights: readonly Float64Array[]): number {
  const { tensors } = runReference(graph, inputs, "floats");
  return graph.outputs.reduce((sum, id, at) => {
    const values = tensors.get(id)?.values ?? new Float64Array(0);
    return values.reduce((total, value, i) => total + value * (weights[at]?.[i] ?? 0), sum);
  }, 0);
}

/** The derivative of the weighted sum by elements of an input, from differences to both sides. */
function differences(
  graph: Graph,
  inputs: Values,
  target: TensorId,
  weights: readonly Float64Array[],
): readonly number[] {
  const values = inputs.get(target) ?? new Float64Array(0);
  const at = (index: number, by: number) => {
    const moved = new Map(inputs).set(
      target,
      values.map((value, i) => (i === index ? value + by : value)),
    );
    return weighted(graph, moved, weights);
  };
  return placesIn(values).map((i) => (at(i, step) - at(i, -step)) / (2 * step));
}

/** The elements that are moved: some all over a large tensor, all of them in the long version. */
function placesIn({ length }: Float64Array): readonly number[] {
  const stride = process.env.SOAK || length < 50 ? 1 : 5;
  return Array.from({ length: Math.ceil(length / stride) }, (_, at) => at * stride);
}

/** Weights of the results: only the first one counts, unless a gradient reads more of them. */
function weightsOf(graph: Graph, count: number): readonly Float64Array[] {
  return graph.outputs.map((id, at) => {
    const shape = graph.tensors.find((tensor) => tensor.id === id)?.shape ?? [];
    const size = shape.reduce((product, each) => product * each, 1);
    return new Float64Array(size).map((_, i) => (at < count ? Math.sin(3 * at + i + 1) : 0));
  });
}

const calls = sampleCalls((name) => ({ a: 2, b: 3, c: 4 })[name] ?? 2);

test.each(calls.map(({ title, ...rest }) => [title, rest] as const))(
  "the gradient of %s equals finite differences",
  (_, { entry, call }) => {
    const graph = graphOf(entry, call);
    const inputs = leafValues(graph, 5, "floats");
    const forward = runReference(graph, inputs, "floats").tensors;
    for (const { target, step: operator, graph: backward } of gradientCalls(entry, call)) {
      const gradients = operator.operands.filter(({ from }) => from === "gradient").length;
      const weights = weightsOf(graph, gradients);
      const given = operator.operands.map(({ from, index }) => {
        if (from === "input") return inputs.get(tensorId(`x${index}`));
        if (from === "output") return forward.get(tensorId(`y${index}`))?.values;
        return weights[index];
      });
      const leaves = backward.tensors.filter(({ producer }) => producer === undefined);
      const values = new Map(leaves.map(({ id }, at) => [id, given[at] ?? new Float64Array(0)]));
      const got = runReference(backward, values, "floats").tensors.get(tensorId("y0"))?.values;
      const want = differences(graph, inputs, tensorId(`x${target}`), weights);
      expect(got).toHaveLength(inputs.get(tensorId(`x${target}`))?.length ?? -1);
      const places = placesIn(got ?? new Float64Array(0));
      for (const [at, i] of places.entries()) expect(got?.[i]).toBeCloseTo(want[at] ?? NaN, 5);
    }
  },
);

// Excepted are losses, targets that are −1 or 1, and weights to which PyTorch passes no gradient
// either.
test("operators with a derivative pass a gradient to every operand that is no index or flag", () => {
  const without = calls.filter(({ entry, call }) => {
    const targets = new Set(gradientCalls(entry, call).map(({ target }) => target));
    return call.inputs.some((shape, at) => {
      return shape !== undefined && entry.domains[at]?.kind !== "index" && !targets.has(at);
    });
  });
  const names = [...new Set(without.map(({ entry }) => entry.name))];
  expect(names).toEqual([
    ...["logical_not", "zeros_like", "sign", "floor", "ceil", "trunc"],
    ...["less", "less_equal", "greater", "greater_equal", "equal", "not_equal"],
    ...["logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor"],
    ...["where", "masked_fill"],
    ...["argmax", "argmin", "hinge_embedding_loss", "cosine_embedding_loss", "moe_dispatch"],
    ...["expert_dispatch", "expert_combine"],
    ...["cross_entropy", "nll_loss", "binary_cross_entropy"],
  ]);
});
