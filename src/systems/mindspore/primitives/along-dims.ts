import { alongDim, alongDims, dimsNamed, notOfRank, numberOf, numbersOf } from "./arguments.ts";
import {
  kept,
  keptInAll,
  type LinkCall,
  type LinkedDim,
  type Links,
  type LinksOf,
  likeInput,
  own,
  partOf,
  sized,
  summed,
} from "./links.ts";
import type { SpecRow } from "./spec.ts";

/** Links of results with the input's shape; the dims that an argument names stay whole. */
function wholeOn(name: string, otherwise: readonly number[], results = 1): LinksOf {
  return alongDims(name, otherwise, (call, dims) => ({
    outputs: Array.from({ length: results }, () => wholeOnDims(call, dims)),
  }));
}

/**
 * Links along dims for a primitive that splits dim 0 by default even if it is one of them, which
 * its own check then refuses.
 */
function checkedOn(name: string, otherwise: number, results = 1): LinksOf {
  return alongDims(name, [otherwise], (call, dims) => ({
    outputs: Array.from({ length: results }, () => wholeOnDims(call, dims)),
    splitsAnyway: dims.includes(0),
  }));
}

function wholeOnDims(call: LinkCall, dims: readonly number[]): readonly LinkedDim[] {
  return likeInput(call).map((each, dim) => (dims.includes(dim) ? own(each.size) : each));
}

/** Links of MaxDim: its dim stays whole, but the default strategy splits dim 0 anyway. */
const largestOn: LinksOf = alongDims("dim", [0], (call, dims) => {
  const output = without(call, dims, "keepdim");
  return { outputs: [output, output], splitsAnyway: dims.includes(0) };
});

/** The input's dims without the reduced ones, or with 1 for them if `keep` is set. */
function without(call: LinkCall, dims: readonly number[], keep: string): readonly LinkedDim[] {
  const left = call.attributes[keep] === true ? [own(1)] : [];
  return likeInput(call).flatMap((each, dim) => (dims.includes(dim) ? left : [each]));
}

/** Links of reductions along a dim that stays whole: values, and indices as second result. */
function reducedOn(name: string, keep: string, otherwise: number, results: 1 | 2): LinksOf {
  return alongDims(name, [otherwise], (call, dims) => {
    const output = without(call, dims, keep);
    return { outputs: [output, output].slice(0, results) };
  });
}

/**
 * Links of a reduction whose dims (by default all) may be cut; the devices then combine their
 * results.
 */
function reducedAcross(
  name: string,
  keep: string,
  results: 1 | 2,
  otherwise?: readonly number[],
): LinksOf {
  return (call) => {
    const [x = []] = call.shapes;
    const every = [...x.keys()];
    const given = call.attributes[name];
    const isAll = Array.isArray(given) && given.length === 0;
    const dims = isAll ? every : dimsNamed(call, name, x.length, otherwise ?? every);
    if (dims === undefined) return notOfRank(call, name, x.length);
    const output = without(call, dims, keep);
    const inner = dims.map((dim) => summed([0, dim]));
    return { outputs: [output, output].slice(0, results), inner };
  };
}

/** Links of arg-extremes: by default the searched dim is whole; a strategy may cut it. */
const placesOn: LinksOf = (call) => {
  const links = reducedAcross("axis", "keep_dims", 1, [-1])(call);
  if (links === undefined || typeof links === "string") return links;
  return { ...links, unsplit: links.inner?.flatMap(({ refs }) => refs) ?? [] };
};

/** A product or arg-extreme along one dim; over all elements if none is named. */
const alongLast = reducedOn("dim", "keepdim", -1, 1);
const oneOrAll: LinksOf = (call) =>
  (call.attributes.dim ?? null) === null ? { outputs: [[]] } : alongLast(call);

const expanded = alongDim(
  "axis",
  0,
  (call, dim) => ({ outputs: [likeInput(call).toSpliced(dim, 0, own(1))] }),
  1,
);

/** Flattens all dims except the first into one. */
function flattened(call: LinkCall): Links {
  const [x = []] = call.shapes;
  const rest = x.slice(1).reduce((product, size) => product * size, 1);
  return { outputs: [[kept(call, [0, 0]), own(rest)]] };
}

function squeezed(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const ones = x.flatMap((size, dim) => (size === 1 ? [dim] : []));
  const given = call.attributes.axis;
  const isAll =
    given === undefined || given === null || (Array.isArray(given) && given.length === 0);
  const dims = isAll ? ones : dimsNamed(call, "axis", x.length, []);
  if (dims === undefined) return notOfRank(call, "axis", x.length);
  return { outputs: [likeInput(call).filter((_, dim) => !dims.includes(dim))] };
}

const stacked = alongDim(
  "axis",
  0,
  (call, dim) => {
    const dims = likeInput(call).map((_, at) => keptInAll(call, at));
    return { outputs: [dims.toSpliced(dim, 0, own(call.shapes.length))] };
  },
  1,
);

const unstacked = alongDim("axis", 0, (call, dim) => {
  const output = likeInput(call).toSpliced(dim, 1);
  // MindSpore also accepts a cut of the dim that disappears.
  const refs = [[0, dim]] as const;
  const outputs = Array.from({ length: call.shapes[0]?.[dim] ?? 1 }, () => output);
  return { outputs, inner: [{ refs, isSummed: false }], evenly: refs };
});

/** Splits a dim into the given lengths; -1 takes the remainder. */
function splitInLengths(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const [at] = dimsNamed(call, "split_dim", x.length, [0]) ?? [];
  const lengths = numbersOf(call, "size_splits");
  if (at === undefined || lengths === undefined) return notOfRank(call, "split_dim", x.length);
  const rest = (x[at] ?? 0) - lengths.reduce((sum, size) => sum + Math.max(0, size), 0);
  if (rest < 0 || (rest > 0 && !lengths.includes(-1)))
    return `the lengths of SplitV (${lengths.join(", ")}) do not add up to ${x[at] ?? 0}`;
  const dims = likeInput(call);
  return {
    outputs: lengths.map((size) => dims.with(at, partOf(call, at, size === -1 ? rest : size))),
  };
}

function topK(call: LinkCall): Links {
  const last = (call.shapes[0]?.length ?? 1) - 1;
  const output = likeInput(call).with(last, own(numberOf(call, "k", 1)));
  return { outputs: [output, output] };
}

/** New leading dims, and broadcast dims of size 1, stay whole. */
function broadcastTo(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const wanted = numbersOf(call, "shape");
  if (wanted === undefined) return undefined;
  const lead = wanted.length - x.length;
  const { runTimeDims } = call.attributes;
  const open: readonly unknown[] = Array.isArray(runTimeDims) ? runTimeDims : [];
  const fits = (size: number, dim: number) =>
    x[dim] === 1 || size === x[dim] || size === -1 || open.includes(dim + lead);
  if (lead < 0 || !wanted.slice(lead).every(fits))
    return `For 'BroadcastTo', a tensor of shape (${x.join(", ")}) does not broadcast to (${wanted.join(", ")})`;
  const dims = wanted.map((size, at): LinkedDim => {
    const dim = at - lead;
    if (dim < 0) return own(size);
    // An unknown length counts as unchanged if the input's dim is not 1.
    const isKept = size === -1 || size === x[dim] || (open.includes(at) && x[dim] !== 1);
    return isKept ? kept(call, [0, dim]) : own(size);
  });
  return { outputs: [dims] };
}

const repeated = alongDim("axis", 0, (call, dim) => {
  const size = (call.shapes[0]?.[dim] ?? 1) * numberOf(call, "rep", 1);
  return { outputs: [likeInput(call).with(dim, sized(size, [0, dim]))] };
});

function padded(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const given = call.attributes.paddings;
  const flat: readonly unknown[] = Array.isArray(given) ? given.flat() : [];
  const numbers = flat.map(Number);
  const isOuter = Array.isArray(given) && given.some(Array.isArray);
  const dims = likeInput(call).map((each, dim) => {
    const at = isOuter ? 2 * dim : 2 * (x.length - 1 - dim);
    const added = (numbers[at] ?? 0) + (numbers[at + 1] ?? 0);
    const isPadded = (numbers[at] ?? 0) !== 0 || (numbers[at + 1] ?? 0) !== 0;
    return isPadded ? own(each.size + added) : each;
  });
  return { outputs: [dims] };
}

function traced(call: LinkCall): Links | string | undefined {
  const rank = call.shapes[0]?.length ?? 0;
  const dims = [
    ...(dimsNamed(call, "axis1", rank, [0]) ?? []),
    ...(dimsNamed(call, "axis2", rank, [1]) ?? []),
  ];
  return { outputs: [likeInput(call).filter((_, dim) => !dims.includes(dim))] };
}

/**
 * Fourier transforms: the transformed dims stay whole. A real input gives half of the last dim plus
 * one, and the inverse restores the real length.
 */
function transformed(lengths: string, otherwise?: readonly number[]): LinksOf {
  return (call) => {
    const [x = []] = call.shapes;
    const given = call.attributes[lengths];
    const sizes = given === undefined || given === null ? undefined : numbersOf(call, lengths);
    const all = x.map((_, dim) => dim).slice(sizes === undefined ? 0 : -sizes.length);
    const dims = dimsNamed(call, "dim", x.length, otherwise ?? all);
    if (dims === undefined) return notOfRank(call, "dim", x.length);
    const output = likeInput(call).map((each, dim) => {
      const at = dims.indexOf(dim);
      if (at < 0) return each;
      const isLast = at === dims.length - 1;
      if (isLast && /^(IRFFT|HFFT)/u.test(call.op)) return own(sizes?.[at] ?? 2 * (each.size - 1));
      const size = sizes?.[at] ?? each.size;
      return own(isLast && /^(RFFT|IHFFT)/u.test(call.op) ? Math.floor(size / 2) + 1 : size);
    });
    return { outputs: [output] };
  };
}

/** Primitives of MindSpore that work along some dims, which stay whole. */
export const alongDimRows: readonly SpecRow[] = [
  ["CumSum", "exclusive reverse", "x [axis]", wholeOn("axis", [0]), { takesLayouts: true }],
  ["CumProd", "exclusive reverse", "x [axis]", wholeOn("axis", [0])],
  ["CumsumExt", "", "x [dim] [dtype]", wholeOn("dim", [0]), { takesLayouts: true }],
  ["Cummax Cummin", "axis", "x", wholeOn("axis", [0], 2)],
  ["L2Normalize", "axis epsilon", "x", checkedOn("axis", 0), { takesLayouts: true }],
  ["Sort", "axis descending", "x", checkedOn("axis", -1, 2)],
  ["SortExt", "", "x [dim] [descending] [stable]", checkedOn("dim", -1, 2), { takesLayouts: true }],
  ["ReverseV2", "axis", "x", checkedOn("axis", 0)],
  ["Roll", "shift axis", "x", wholeOn("axis", [0])],
  ["DCT IDCT", "", "x [type] [n] [axis] [norm]", wholeOn("axis", [-1])],
  ["DCTN IDCTN", "", "x [type] [s] [axes] [norm]", wholeOn("axes", [-2, -1])],
  ["FFT IFFT RFFT IRFFT HFFT IHFFT", "", "x [n] [dim] [norm]", transformed("n", [-1])],
  ["FFT2 IFFT2 RFFT2 IRFFT2 HFFT2 IHFFT2", "", "x [s] [dim] [norm]", transformed("s", [-2, -1])],
  ["FFTN IFFTN RFFTN IRFFTN HFFTN IHFFTN", "", "x [s] [dim] [norm]", transformed("s")],
  ["MaxDim", "", "x [dim] [keepdim]", largestOn, { takesLayouts: true }],
  ["MinDim", "", "x [dim] [keepdim]", reducedOn("dim", "keepdim", 0, 2)],
  [
    "ArgMaxWithValue ArgMinWithValue",
    "axis keep_dims",
    "x",
    reducedAcross("axis", "keep_dims", 2, [0]),
  ],
  ["Argmax Argmin", "axis output_type", "x", placesOn, { dtype: "i32" }],
  [
    "ReduceAny ReduceAll",
    "keep_dims",
    "x [axis]",
    reducedAcross("axis", "keep_dims", 1),
    { dtype: "bool" },
  ],
  ["ReduceProd", "keep_dims", "x [axis]", reducedAcross("axis", "keep_dims", 1)],
  ["ArgMaxExt ArgMinExt", "", "x [dim] [keepdim]", oneOrAll, { dtype: "i64" }],
  ["Median", "global_median axis keep_dims", "x", reducedOn("axis", "keep_dims", 0, 2)],
  ["ProdExt", "", "x [dim] [keepdim] [dtype]", oneOrAll],
  ["LogSumExp", "", "x [dim] [keepdim]", reducedOn("dim", "keepdim", -1, 1)],
  ["TopK", "sorted", "x [k]", topK],
  [
    "TopkExt",
    "",
    "x [k] [dim] [largest] [sorted]",
    alongDim("dim", -1, (call, dim) => {
      const output = likeInput(call).with(dim, own(numberOf(call, "k", 1)));
      return { outputs: [output, output] };
    }),
  ],
  ["ExpandDims", "", "x [axis]", expanded],
  ["Squeeze", "axis", "x", squeezed],
  ["Flatten", "", "x", flattened],
  ["Stack Pack", "axis", "x", stacked, { isVariadic: true }],
  ["StackExt", "", "x [axis]", stacked, { isVariadic: true }],
  ["Unstack Unpack", "axis num", "x", unstacked],
  ["SplitV", "size_splits split_dim num_split", "x", splitInLengths, { takesLayouts: true }],
  ["FFTShift IFFTShift", "", "x [dim]", wholeOn("dim", [-1])],
  ["Cholesky", "upper", "x", wholeOn("axis", [-2, -1]), { takesLayouts: true }],
  ["BroadcastTo", "shape", "x [shape]", broadcastTo],
  ["RepeatElements", "rep axis", "x", repeated],
  [
    "PadV3",
    "mode paddings_contiguous",
    "x paddings value",
    padded,
    { held: ["paddings", "value"] },
  ],
  ["Pad", "paddings", "x", padded],
  ["TraceV2", "", "x [offset] [axis1] [axis2] [dtype]", traced],
];
