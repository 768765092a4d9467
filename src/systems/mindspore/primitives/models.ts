import { numberOf } from "./arguments.ts";
import {
  kept,
  type LinkCall,
  type LinkedDim,
  type Links,
  likeInput,
  own,
  type Ref,
  sized,
  summed,
} from "./links.ts";
import type { SpecRow } from "./spec.ts";

/** Links of sampled true elements of a mask: nothing may be cut. */
function chosen(call: LinkCall): Links {
  const [x = []] = call.shapes;
  const count = numberOf(call, "count", 256);
  return { outputs: [[own(count), own(x.length)], [own(count)]] };
}

/** Links of systems of equations: only the batch may be cut. */
function solved(call: LinkCall): Links {
  const [a = [], b = []] = call.shapes;
  const batch = a.length - 2;
  const dims = b.map((size, dim) => (dim < batch ? kept(call, [0, dim], [1, dim]) : own(size)));
  return { outputs: [dims] };
}

/**
 * Links of rotary position embedding: sine and cosine are cut like the input, and the last dim
 * stays whole.
 */
function rotated(call: LinkCall): Links {
  const [x = []] = call.shapes;
  const dims = x.map((size, dim) =>
    dim === x.length - 1 ? own(size) : kept(call, [0, dim], [1, dim], [2, dim]),
  );
  return { outputs: [dims] };
}

/** Links of routing tokens to experts: only the groups of tokens may be cut. */
function routed(call: LinkCall): Links {
  const [x = []] = call.shapes;
  const group = kept(call, [0, 0], ...(call.shapes.length > 1 ? [[1, 0] as const] : []));
  const places = [group, own(numberOf(call, "expert_num", 1)), own(numberOf(call, "capacity", 1))];
  return { outputs: [places, [group, ...x.slice(1).map(own)]] };
}

/** Links of sampled classes, with the expected counts of the true and the sampled ones. */
function sampled(call: LinkCall): Links {
  const count = numberOf(call, "num_sampled", 1);
  return { outputs: [[own(count)], likeInput(call), [own(count)]] };
}

/** Links of a product with a compressed weight, and the scales of its columns. */
function sparseProduct(call: LinkCall): Links {
  return {
    outputs: [[kept(call, [0, 0]), kept(call, [2, 0], [4, 0])]],
    inner: [summed([0, 1])],
  };
}

/** A quantised product: its scale, offset and bias belong to the columns of the second operand. */
function quantisedProduct(call: LinkCall): Links | string {
  const [x = [], y = [], ...others] = call.shapes;
  const isSet = (...names: readonly string[]) =>
    names.some((name) => call.attributes[name] === true);
  const [m, k] = isSet("transpose_x1", "transpose_x")
    ? [x.length - 1, x.length - 2]
    : [x.length - 2, x.length - 1];
  const [n, l] = isSet("transpose_x2", "transpose_weight")
    ? [y.length - 2, y.length - 1]
    : [y.length - 1, y.length - 2];
  if (x[k] !== y[l]) return `it multiplies rows of ${x[k]} elements by columns of ${y[l]}`;
  const columns: readonly Ref[] = [
    [1, n],
    // One number per column, or per column in each group of rows.
    ...others.flatMap((dims, at): Ref[] =>
      dims.length === 1 || (dims.length === 2 && dims[1] === y[n])
        ? [[at + 2, dims.length - 1]]
        : [],
    ),
  ];
  const rank = Math.max(x.length, y.length);
  const batch = Array.from({ length: rank - 2 }, (_, at): LinkedDim => {
    const refs = [x, y].flatMap((dims, input): Ref[] => {
      const dim = at - (rank - dims.length);
      return dim < 0 ? [] : [[input, dim]];
    });
    return kept(call, ...refs);
  });
  return {
    outputs: [[...batch, kept(call, [0, m]), kept(call, ...columns)]],
    inner: [summed([0, k], [1, l])],
  };
}

/**
 * Links of MatmulDDS, block attention: heads and batches are tiled by 16 on the first two dims of
 * queries and keys; results have one dim for each.
 */
function blockAttention(call: LinkCall): Links {
  const [query = [], , local = []] = call.shapes;
  const [batch, heads] = [numberOf(call, "bs", 1), numberOf(call, "heads", 1)];
  const tile = query.at(-1) ?? 16;
  const sequence = (local[0] ?? 1) * tile;
  const [block, blocks] = [4, sequence / 64];
  const lead: readonly LinkedDim[] = [
    sized(batch, [0, 1], [1, 1], [2, 1], [3, 0]),
    sized(heads, [0, 0], [1, 0]),
  ];
  const result = (...sizes: readonly number[]) => [...lead, ...sizes.map(own)];
  return {
    outputs: [
      result(blocks, block, block, tile, tile),
      result(blocks, sequence / 4 / tile, block, tile, tile),
    ],
    isScaled: true,
  };
}

/**
 * Links of DSDMatmul, the values of block attention: batches and heads are the first two dims of
 * the weights, and are tiled by 16 on the first two dims of the values.
 */
function blockValues(call: LinkCall): Links {
  const [weights = [], , values = []] = call.shapes;
  const [batch = 1, heads = 1] = weights;
  const [rows = 1, columns = 1, tile = 16] = values;
  const lead: readonly LinkedDim[] = [
    sized(batch, [0, 0], [1, 0], [2, 0]),
    sized(heads, [0, 1], [1, 1], [2, 1]),
  ];
  const inner = [Math.floor(columns / heads), Math.floor(rows / batch), tile, tile];
  return { outputs: [[...lead, ...inner.map(own)]], isScaled: true };
}

/** Primitives of MindSpore that serve particular kinds of models. */
export const modelRows: readonly SpecRow[] = [
  ["DSDMatmul", "", "w1 w2 v", blockValues, { splitsFirst: true }],
  ["RandomChoiceWithMask", "count seed seed2", "x", chosen, { batch: [], dtype: "i32" }],
  ["SolveTriangular", "", "a b [trans] [lower] [unit_diagonal]", solved],
  [
    "RotaryPositionEmbedding",
    "",
    "x cos sin [mode]",
    rotated,
    {
      batch: [
        [0, 0],
        [1, 0],
        [2, 0],
      ],
    },
  ],
  ["TopPRouter", "", "x [capacity] [expert_num] [drop_type] [threshold] router_prob", routed],
  ["TopKRouter", "", "x [capacity] [expert_num] [drop_type] [threshold]", routed],
  [
    "UniformCandidateSampler",
    "num_true num_sampled unique range_max seed remove_accidental_hits",
    "x",
    sampled,
    { batch: [] },
  ],
  ["QuantLinearSparse", "", "x weight deq_scale compress_idx bias", sparseProduct],
  [
    "QuantBatchMatmul",
    "transpose_x1 transpose_x2 dtype",
    "x1 x2 scale offset bias pertoken_scale",
    quantisedProduct,
  ],
  [
    "WeightQuantBatchMatmul",
    "transpose_x transpose_weight antiquant_group_size",
    "x weight antiquant_scale antiquant_offset quant_scale quant_offset bias",
    quantisedProduct,
  ],
];

/** Row of MatmulDDS, whose device matrix has its own arrangement. */
export const blockAttentionRow: SpecRow = [
  "MatmulDDS",
  "bs heads",
  "query key local_mask global_mask",
  blockAttention,
];
