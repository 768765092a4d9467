import { dimsNamed, inputsNamed, notOfRank, numberOf, numbersOf } from "./arguments.ts";
import {
  kept,
  type LinkCall,
  type Links,
  type LinksOf,
  likeInput,
  own,
  partOf,
  type Ref,
} from "./links.ts";
import type { SpecRow } from "./spec.ts";

const feedForwardOperands =
  "x w1 w2 expert_tokens bias1 bias2 scale offset deq_scale1 deq_scale2 antiquant_scale1 antiquant_scale2 antiquant_offset1 antiquant_offset2";

/**
 * Links of two matrix products with an activation between them; weights of rank 3 have one matrix
 * per expert. The inner width may be cut, which makes the results partial sums (`ffn_info`).
 */
function feedForward(call: LinkCall): Links {
  const at = inputsNamed(call, feedForwardOperands);
  const lastOf = (name: string, fromEnd = 1): readonly Ref[] => {
    const input = at(name);
    const rank = input === undefined ? 0 : (call.shapes[input]?.length ?? 0);
    return input === undefined || rank < fromEnd ? [] : [[input, rank - fromEnd]];
  };
  const [x = [], , w2 = []] = call.shapes;
  const inner = ["w1", "bias1", "deq_scale1", "antiquant_scale1", "antiquant_offset1"];
  return {
    outputs: [[...likeInput(call).slice(0, -1), own(w2.at(-1) ?? x.at(-1) ?? 1)]],
    inner: [
      { refs: [...inner.flatMap((name) => lastOf(name)), ...lastOf("w2", 2)], isSummed: true },
    ],
  };
}

/** Links of a scaling of the last dim: the scale has that dim's length, or is a single number. */
const scaled: LinksOf = (call) => {
  const [x = []] = call.shapes;
  const last = x.length - 1;
  const scales = call.shapes.slice(1).map((_, at): Ref => [at + 1, 0]);
  const belongs = scales.filter(([input]) => call.shapes[input]?.[0] === x[last]);
  return { outputs: [likeInput(call).with(last, kept(call, [0, last], ...belongs))] };
};

/** Links of a gate: half of a dim gates the other half. */
const gated: LinksOf = (call) => {
  const [x = []] = call.shapes;
  const [at] = dimsNamed(call, "dim", x.length, [-1]) ?? [];
  if (at === undefined) return notOfRank(call, "dim", x.length);
  const size = x[at] ?? 2;
  // A length that is known at run time only may be read as 1.
  if (size > 1 && size % 2 === 1) return `dim ${at} of ${call.op} must be even, but it is ${size}`;
  return { outputs: [likeInput(call).with(at, own(Math.floor(size / 2)))] };
};

/** Links of GroupNorm: only the batch may be cut. */
function groupNorm(call: LinkCall): Links {
  const [x = []] = call.shapes;
  const batch = kept(call, [0, 0]);
  const moments = [batch, own(numberOf(call, "num_groups", 1))];
  return { outputs: [[batch, ...x.slice(1).map(own)], moments, moments] };
}

/** Links of a split into results of one length, or of the given lengths. */
const splitAlong: LinksOf = (call) => {
  const [x = []] = call.shapes;
  const [at] = dimsNamed(call, "dim", x.length, [0]) ?? [];
  if (at === undefined) return notOfRank(call, "dim", x.length);
  const given = numbersOf(call, "split_size");
  const size = x[at] ?? 1;
  const [length] = given ?? [];
  if (given === undefined || length === undefined || length < 1) return undefined;
  const isOne = !Array.isArray(call.attributes.split_size);
  const pieces = Math.ceil(size / length);
  const lengths = isOne
    ? Array.from({ length: pieces }, (_, piece) => Math.min(length, size - piece * length))
    : given;
  return { outputs: lengths.map((each) => likeInput(call).with(at, partOf(call, at, each))) };
};

/** Links of quantised rows, with one scale per row as second result. */
function dynamicQuant(call: LinkCall): Links {
  const [x = []] = call.shapes;
  const rows = likeInput(call).slice(0, -1);
  return { outputs: [[...rows, own(x.at(-1) ?? 1)], rows] };
}

/**
 * Links of writing keys and values into their caches: heads are cut alike, and with them the width.
 */
function cached(call: LinkCall): Links {
  const [key = []] = call.shapes;
  const last = key.length - 1;
  const heads: readonly Ref[] = [
    [0, last],
    [1, last],
    [2, 2],
    [3, 2],
  ];
  const dims = key.map((size, dim) =>
    dim === last ? kept(call, [0, last], [1, last]) : own(size),
  );
  return { outputs: [dims], inner: [{ refs: heads, isSummed: false }] };
}

/** Links of least squares: only the batch may be cut. */
function leastSquares(call: LinkCall): Links {
  const [a = [], b = []] = call.shapes;
  const batch = a.slice(0, -2).map((_, dim) => kept(call, [0, dim], [1, dim]));
  const [rows, columns] = [a.at(-2) ?? 1, a.at(-1) ?? 1];
  const rest = b.slice(a.length - 1).map(own);
  return {
    outputs: [
      [...batch, own(columns), ...rest],
      [...batch, ...rest],
      batch,
      [...batch, own(Math.min(rows, columns))],
    ],
  };
}

/** Links of the `k` best experts of each token. */
function bestExperts(call: LinkCall): Links {
  const [x = []] = call.shapes;
  // Nothing is linked: MindSpore refuses a cut of tokens over two dims, as every other cut.
  const places = [...x.slice(0, -1).map(own), own(numberOf(call, "k", 1))];
  return { outputs: [places, places, places].map((dims) => (x.length === 0 ? [] : dims)) };
}

/** Links of a bit mask: 16 bytes per 128 elements. */
const maskOf: LinksOf = (call) => {
  const shape = numbersOf(call, "shape");
  const elements = shape?.reduce((product, size) => product * size, 1);
  return elements === undefined ? undefined : { outputs: [[own(Math.ceil(elements / 128) * 16)]] };
};

/** Primitives of MindSpore that fuse several steps of a layer. */
export const fusedRows: readonly SpecRow[] = [
  ["FFN FFNExt", "activation inner_precise", feedForwardOperands, feedForward],
  ["AntiQuant", "sqrt_mode dtype", "x scale offset", scaled],
  ["Dequant", "sqrt_mode relu_flag dtype", "x deq_scale", scaled, { takesLayouts: true }],
  ["QuantV2", "", "x scale offset [sqrt_mode] [rounding_mode] [dst_type]", scaled],
  ["Swiglu", "", "x [dim]", gated, { takesLayouts: true, splitsFirst: true }],
  ["GroupNorm", "", "x [num_groups] weight bias [eps]", groupNorm],
  ["SplitTensor SplitWithSize", "", "x [split_size] [dim]", splitAlong, { takesLayouts: true }],
  ["DynamicQuantExt", "", "x smooth_scales", dynamicQuant],
  ["ReshapeAndCache", "", "key value key_cache value_cache slot_mapping", cached],
  ["LstsqV2", "", "a b [driver]", leastSquares],
  ["MoeGatingTopKSoftmax", "", "x finished [k]", bestExperts, { splitsFirst: true }],
  ["DropoutGenMask", "Seed0 Seed1", "[shape] [keep_prob]", maskOf],
];
