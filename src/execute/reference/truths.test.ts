import { expect, test } from "vitest";
import { type Attributes, tensorId } from "#core/ir";
import { runReference } from "./index.ts";
import { entryNamed, graphOf } from "./operator.testing.ts";

/** Values `(7i + 3k) mod 5 − 2` of operand k. */
function pattern(shape: readonly number[], operand: number): readonly number[] {
  const count = shape.reduce((product, size) => product * size, 1);
  return Array.from({ length: count }, (_, i) => ((i * 7 + operand * 3) % 5) - 2);
}

/** The first result of an operator on given operands. */
function run(
  name: string,
  shapes: readonly (readonly number[])[],
  attributes: Attributes,
  values: readonly (readonly number[])[],
): readonly number[] {
  const graph = graphOf(entryNamed(name), { inputs: shapes, attributes });
  const inputs = new Map(values.map((each, at) => [tensorId(`x${at}`), Float64Array.from(each)]));
  return [...(runReference(graph, inputs, "floats").tensors.get(tensorId("y0"))?.values ?? [])];
}

// Expected values from NumPy 2.4, computed from the definitions, to nine digits.
const truths: readonly (readonly [string, number[][], Attributes, number[]])[] = [
  [
    "softmax",
    [[2, 3]],
    { dim: 0 },
    [0.268941421, 0.268941421, 0.98201379, 0.731058579, 0.731058579, 0.01798621],
  ],
  [
    "matmul",
    [
      [2, 3],
      [3, 2],
    ],
    {},
    [-4, 6, 1, 2],
  ],
  ["linear", [[2, 3], [2, 3], [2]], {}, [-3, -1, -4, -4]],
  ["gelu", [[6]], {}, [-0.045500264, 0, 1.954499736, -0.158655254, 0.841344746, -0.045500264]],
  ["silu", [[6]], {}, [-0.238405844, 0, 1.761594156, -0.268941421, 0.731058579, -0.238405844]],
  [
    "softplus",
    [[6]],
    {},
    [0.126928011, Math.LN2, 2.126928011, 0.313261688, 1.313261688, 0.126928011],
  ],
  [
    "layer_norm",
    [[2, 4], [4], [4]],
    { eps: 0.5 },
    [-2.067489992, 0.695002859, -2, -0.914991422, -0.542504289, 3.744974266, -2, 2.134979985],
  ],
  [
    "rms_norm",
    [[2, 4], [4]],
    { eps: 0.5 },
    [-1.206045378, 0, 0, -1.206045378, 0.603022689, 2.412090757, 0, 2.412090757],
  ],
  ["var", [[2, 3]], { dim: [1] }, [4, 2.333333333]],
  ["logsumexp", [[2, 3]], { dim: 1 }, [2.142931628, 1.16984602]],
  [
    "attention",
    [
      [1, 2, 2, 2],
      [1, 1, 2, 2],
      [1, 1, 2, 1],
    ],
    { is_causal: true },
    [-1, -0.971667928, -1, 0.993037345],
  ],
  [
    "attention",
    [
      [1, 2, 3, 2],
      [1, 2, 3, 2],
      [1, 2, 3, 1],
      [3, 3],
    ],
    {},
    [-1.78269121, -1.116866225, -0.976163461, 0.002383668, -0.413497572, 0.044943171],
  ],
  [
    "attention",
    [
      [1, 2, 3, 2],
      [1, 2, 3, 2],
      [1, 2, 3, 1],
      [2, 1, 3],
    ],
    { is_boolean: true },
    [-1.394530534, -0.97880083, -1.000048178, -0.055807219, -0.028317919, -0.014166036],
  ],
  [
    "rotary",
    [[3, 4]],
    { base: 100 },
    [
      -2, 0, 2, -1, 0.540302306, -2.189675164, 0.841470985, 1.790341497, 2.23474169, 0.980066578,
      -0.077003754, 0.198669331,
    ],
  ],
  [
    "rotary",
    [[3, 4]],
    { base: 100, interleaved: true },
    [
      -2, 0, 2, -1, 2.223244275, -0.239133627, -0.199666833, 1.990008331, -0.49315059, -1.325444263,
      -1.960133156, -0.397338662,
    ],
  ],
  [
    "conv2d",
    [
      [1, 2, 3, 3],
      [2, 1, 2, 2],
    ],
    { groups: 2, stride: 2, padding: 1 },
    [-4, 4, 2, 3, 0, 4, 2, 2],
  ],
  [
    "conv_transpose2d",
    [
      [1, 1, 2, 2],
      [1, 1, 2, 2],
    ],
    { stride: 2 },
    [-2, 4, 0, 0, 0, -4, 0, 0, 2, -4, -1, 2, 0, 4, 0, -2],
  ],
  ["max_pool2d", [[1, 1, 3, 3]], { kernel_size: 2, stride: 2, padding: 1 }, [-2, 2, 0, 2]],
  ["avg_pool2d", [[1, 1, 4, 2]], { kernel_size: 2 }, [-0.25, 0.25]],
  ["cumsum", [[2, 3]], { dim: 1 }, [-2, -2, 0, -1, 0, -2]],
  [
    "mse_loss",
    [
      [2, 3],
      [2, 3],
    ],
    {},
    [6.5],
  ],
  ["pad", [[2, 2]], { pad: [1, 0, 0, 1], value: 9 }, [9, -2, 0, 9, 2, -1, 9, 9, 9]],
  ["roll", [[2, 3]], { shifts: [1], dims: [1] }, [2, -2, 0, -2, -1, 1]],
  ["repeat", [[1, 3]], { repeats: [2, 1] }, [-2, 0, 2, -2, 0, 2]],
  ["repeat", [[3]], { repeats: [2, 1] }, [-2, 0, 2, -2, 0, 2]],
  ["slice", [[2, 5]], { dim: 1, start: -4, stop: 5, step: 2 }, [0, -1, 0, -1]],
  ["reshape", [[2, 3]], { shape: [3, -1] }, [-2, 0, 2, -1, 1, -2]],
  ["permute", [[2, 3]], { dims: [1, 0] }, [-2, -1, 0, 1, 2, -2]],
  [
    "concat",
    [
      [2, 1],
      [2, 2],
    ],
    { dim: 1 },
    [-2, 1, -2, 0, 0, 2],
  ],
  ["stack", [[2], [2]], { dim: 1 }, [-2, 1, 0, -2]],
  ["tril", [[3, 3]], { diagonal: -1 }, [0, 0, 0, -1, 0, 0, 0, 2, 0]],
  [
    "group_norm",
    [[1, 4, 1]],
    { groups: 2, eps: 0.5 },
    [-0.816496581, 0.816496581, 0.904534034, -0.904534034],
  ],
  [
    "binary_cross_entropy_with_logits",
    [[3], [3]],
    { reduction: "none" },
    [2.126928011, Math.LN2, 2.126928011],
  ],
];

test.each(truths)("%s of %j with %j is what NumPy computes", (name, shapes, attributes, want) => {
  const got = run(name, shapes, attributes, shapes.map(pattern));
  expect(got).toHaveLength(want.length);
  for (const [at, value] of want.entries()) expect(got[at]).toBeCloseTo(value, 8);
});

test.each<[string, number[][], Attributes, number[][], number[]]>([
  [
    "embedding",
    [[2], [3, 2]],
    {},
    [
      [2, 0],
      [1, 2, 3, 4, 5, 6],
    ],
    [5, 6, 1, 2],
  ],
  [
    "gather",
    [
      [2, 3],
      [2, 2],
    ],
    { dim: 1 },
    [
      [1, 2, 3, 4, 5, 6],
      [2, 2, 0, 1],
    ],
    [3, 3, 4, 5],
  ],
  ["index_select", [[2, 3], [1]], { dim: 1 }, [[1, 2, 3, 4, 5, 6], [1]], [2, 5]],
  [
    "take",
    [
      [3, 2],
      [2, 2],
    ],
    { dim: 0 },
    [
      [1, 2, 3, 4, 5, 6],
      [2, 0, 0, 1],
    ],
    [5, 6, 1, 2, 1, 2, 3, 4],
  ],
  [
    "tensor_scatter_update",
    [
      [3, 2],
      [2, 1],
      [2, 2],
    ],
    {},
    [
      [1, 2, 3, 4, 5, 6],
      [2, 2],
      [7, 8, 9, 10],
    ],
    [1, 2, 3, 4, 9, 10],
  ],
  [
    "tensor_scatter_update",
    [[2, 2], [2, 2], [2]],
    {},
    [
      [1, 2, 3, 4],
      [0, 1, 1, 0],
      [7, 8],
    ],
    [1, 7, 8, 4],
  ],
  [
    "scatter_add",
    [[3], [2], [2]],
    { dim: 0 },
    [
      [1, 2, 3],
      [1, 1],
      [4, 5],
    ],
    [1, 11, 3],
  ],
  [
    "scatter",
    [
      [2, 3],
      [2, 2],
      [2, 2],
    ],
    { dim: 1 },
    [
      [1, 2, 3, 4, 5, 6],
      [2, 0, 1, 1],
      [7, 8, 9, 10],
    ],
    [8, 2, 7, 4, 10, 6],
  ],
  [
    "scatter",
    [
      [2, 2],
      [1, 2],
    ],
    { dim: 0, source: -3 },
    [
      [1, 2, 3, 4],
      [1, 0],
    ],
    [1, -3, -3, 4],
  ],
  ["top_k", [[5]], { k: 3 }, [[3, 9, 4, 9, 1]], [9, 9, 4]],
  ["sort", [[4]], {}, [[3, -1, 3, 0]], [-1, 0, 3, 3]],
  ["argmax", [[5]], { dim: 0 }, [[3, 9, 4, 9, 1]], [1]],
  ["one_hot", [[2]], { num_classes: 3 }, [[2, 0]], [0, 0, 1, 1, 0, 0]],
  [
    "where",
    [[2], [2], [2]],
    {},
    [
      [1, 0],
      [5, 6],
      [7, 8],
    ],
    [5, 8],
  ],
  [
    "cross_entropy",
    [[2, 2], [2]],
    { reduction: "sum" },
    [
      [0, 0, 3, 3],
      [0, 1],
    ],
    [2 * Math.LN2],
  ],
  ["moe_gate", [[1, 1, 3]], { k: 1 }, [[0, Math.LN2, 0]], [0, 0.5, 0]],
  // Tokens 1, 2, 3 of one feature; experts take tokens {0, 2} and {1}; one slot each.
  [
    "moe_dispatch",
    [
      [1, 3, 1],
      [1, 3, 2],
    ],
    { capacity: 1 },
    [
      [1, 2, 3],
      [1, 0, 0, 1, 1, 0],
    ],
    [1, 2],
  ],
  [
    "moe_combine",
    [
      [2, 1, 2, 1],
      [1, 3, 2],
    ],
    {},
    [
      [10, 20, 30, 40],
      [0.5, 0, 0, 1, 1, 0],
    ],
    [5, 30, 20],
  ],
  // Tokens 1 to 4 in two groups: expert 0 takes 1 and 4; expert 1 takes 2 and 3, and would take 1
  // too.
  [
    "expert_dispatch",
    [
      [2, 2, 1],
      [2, 2, 2],
    ],
    { g: 2, slots: 1 },
    [
      [1, 2, 3, 4],
      [1, 0, 0, 1, 1, 1, 1, 0],
    ],
    [1, 4, 1, 3],
  ],
  // Tokens beyond the slots are dropped: token 2 gets nothing.
  [
    "expert_combine",
    [
      [2, 2, 1, 1],
      [2, 2, 2],
    ],
    { g: 2, slots: 1 },
    [
      [10, 20, 30, 40],
      [1, 0, 0, 1, 1, 1, 1, 0],
    ],
    [40, 0, 40, 20],
  ],
])("%s of %j with %j on %j is %j", (name, shapes, attributes, values, want) => {
  const got = run(name, shapes, attributes, values);
  expect(got).toHaveLength(want.length);
  for (const [at, value] of want.entries()) expect(got[at]).toBeCloseTo(value, 12);
});
