import { type CallShapes, entries, type LibraryEntry } from "#core/ir";
import { lossCalls } from "./loss-calls.testing.ts";
import { entryNamed, sizesFrom } from "./operator.testing.ts";

/**
 * Calls in addition to an entry's sample: other ranks, missing optional operands, other arguments.
 */
const others: readonly (readonly [string, CallShapes["inputs"], CallShapes["attributes"]])[] = [
  ["matmul", [[4], [4]], {}],
  ["matmul", [[4], [4, 6]], {}],
  ["matmul", [[2, 3, 4], [4]], {}],
  [
    "matmul",
    [
      [2, 3, 4],
      [2, 4, 3],
    ],
    {},
  ],
  [
    "linear",
    [
      [2, 3, 4],
      [6, 4],
    ],
    {},
  ],
  ["einsum", [[4, 3], [3]], { equation: "ij,j->i" }],
  ["einsum", [[4, 4, 2]], { equation: "a b c -> c" }],
  ["addmm", [[6], [4, 3], [3, 6]], {}],
  [
    "add",
    [
      [2, 1, 4],
      [3, 1],
    ],
    {},
  ],
  ["add", [[4, 2], undefined], { y: 5 }],
  ["sub", [undefined, [4, 2]], { x: 2 }],
  ["pow", [[4, 2], undefined], { y: 3 }],
  ["leaky_relu", [[4, 4]], { negative_slope: 0.3 }],
  ["clamp", [[4, 4]], { min: -0.5, max: 0.25 }],
  ["sum", [[4, 3]], {}],
  ["sum", [[4, 3, 2]], { dim: [0, -1] }],
  ["mean", [[4, 3]], { dim: 0 }],
  ["amax", [[4, 3]], {}],
  ["var", [[4, 3]], { dim: [1], correction: 0 }],
  ["logsumexp", [[4, 3]], { dim: -1 }],
  ["sum_to", [[4, 3, 2]], { size: [3, 1] }],
  ["argmax", [[4, 3, 2]], { dim: 0, keepdim: true }],
  ["layer_norm", [[4, 6]], {}],
  ["layer_norm", [[4, 2, 6], [2, 6], undefined], { eps: 1e-3 }],
  ["rms_norm", [[4, 6]], {}],
  ["batch_norm", [[4, 6]], {}],
  ["group_norm", [[2, 4, 3], undefined, undefined], { groups: 2 }],
  [
    "attention",
    [
      [2, 4, 4],
      [2, 4, 4],
      [2, 4, 3],
    ],
    {},
  ],
  [
    "attention",
    [
      [4, 2],
      [6, 2],
      [6, 3],
    ],
    { scale: 0.5 },
  ],
  [
    "attention",
    [
      [2, 2, 4, 2],
      [2, 2, 6, 2],
      [2, 2, 6, 3],
    ],
    { is_causal: true },
  ],
  [
    "attention",
    [
      [2, 4, 3],
      [2, 6, 3],
      [2, 6, 2],
      [4, 6],
    ],
    { scale: 0.5 },
  ],
  [
    "attention",
    [
      [2, 4, 4, 2],
      [2, 2, 4, 2],
      [2, 2, 4, 3],
      [4, 1, 4],
    ],
    { is_causal: true },
  ],
  ["rotary", [[2, 4, 2, 4]], { dim: 1 }],
  ["rotary", [[2, 4, 6]], { base: 100, interleaved: true }],
  ["reshape", [[2, 12, 8]], { shape: [2, 12, -1, 2] }],
  ["reshape", [[4, 6]], { shape: [8, 3] }],
  ["reshape", [[8, 3]], { shape: [4, 6] }],
  ["reshape", [[4, 1, 6]], { shape: [24] }],
  ["permute", [[2, 3]], { dims: [1, 0] }],
  ["transpose", [[2, 3, 4]], {}],
  ["expand", [[4, 1]], { size: [3, 4, 2] }],
  ["split", [[6, 4]], { split_size: [1, 5] }],
  ["chunk", [[4, 6]], { chunks: 3, dim: -1 }],
  [
    "concat",
    [
      [4, 2],
      [4, 1],
      [4, 3],
    ],
    { dim: -1 },
  ],
  [
    "stack",
    [
      [4, 2],
      [4, 2],
      [4, 2],
    ],
    { dim: -1 },
  ],
  ["slice", [[8, 4]], { dim: 0, start: -4 }],
  ["pad", [[2, 4, 3]], { pad: [1, 0, 2, 1] }],
  ["pad", [[4, 6]], { pad: [-1, -2, 2, 0] }],
  ["pad", [[4, 6]], { pad: [1, -1] }],
  ["repeat", [[2, 4]], { repeats: [1, 2] }],
  ["repeat", [[2, 4]], { repeats: [3, 1, 2] }],
  ["repeat", [[2, 4]], { repeats: [3] }],
  ["roll", [[4, 3]], { shifts: [1, -1], dims: [0, 1] }],
  ["conv1d", [[2, 4, 6], [4, 4, 3], [4]], { padding: 2, dilation: 2 }],
  ["conv2d", [[2, 4, 4, 3], [4, 2, 2, 2], [4]], { groups: 2, stride: 2 }],
  ["max_pool2d", [[2, 2, 4, 4]], { kernel_size: [3, 2], stride: 1 }],
  [
    "gather",
    [
      [4, 3, 2],
      [4, 6, 2],
    ],
    { dim: 1 },
  ],
  ["index_select", [[4, 3], [2]], { dim: 0 }],
  ["take", [[4, 3, 2], [2]], { dim: 1 }],
  [
    "tensor_scatter_update",
    [
      [4, 4, 2],
      [3, 2],
      [3, 2],
    ],
    {},
  ],
  [
    "scatter_add",
    [
      [4, 3],
      [6, 3],
      [6, 3],
    ],
    { dim: 0 },
  ],
  ["top_k", [[6, 4]], { k: 3, dim: 0, largest: false }],
  ["sort", [[4, 5]], {}],
  ["cumsum", [[4, 5]], { reverse: true }],
  ["cross_entropy", [[4, 6], [4]], {}],
  [
    "cross_entropy",
    [
      [4, 6, 2],
      [4, 2],
    ],
    { reduction: "none" },
  ],
  ["nll_loss", [[4, 6], [4]], { reduction: "sum" }],
  [
    "mse_loss",
    [
      [4, 6],
      [4, 6],
    ],
    {},
  ],
  [
    "l1_loss",
    [
      [4, 6],
      [4, 6],
    ],
    { reduction: "none" },
  ],
  ["moe_gate", [[2, 4, 6]], { k: 2 }],
  [
    "moe_dispatch",
    [
      [2, 6, 4],
      [2, 6, 2],
    ],
    { capacity: 1 },
  ],
];

/** A call of an entry, with a name that tells it from others. */
export interface SampleCall {
  readonly title: string;
  readonly entry: LibraryEntry;
  readonly call: CallShapes;
}

/** Calls of every entry: its sample on sizes that `draw` gives, and the other ones. */
export function sampleCalls(draw: (name: string) => number): readonly SampleCall[] {
  const own = entries.map((entry): SampleCall => {
    return { title: entry.name, entry, call: entry.sample(sizesFrom(draw)) };
  });
  const more = [...others, ...lossCalls].map(([name, inputs, attributes]): SampleCall => {
    const title = `${name} of ${JSON.stringify(inputs)} with ${JSON.stringify(attributes)}`;
    return { title, entry: entryNamed(name), call: { inputs, attributes } };
  });
  return [...own, ...more];
}
