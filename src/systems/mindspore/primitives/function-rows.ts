import { alongDims, numberOf, numbersOf } from "./arguments.ts";
import { narrowed, reduced, unlike } from "./functional.ts";
import {
  kept,
  type LinkCall,
  type LinkedDim,
  type Links,
  type LinksOf,
  likeInput,
  own,
  summed,
} from "./links.ts";
import type { SpecRow } from "./spec.ts";

/** Links of results with the shape of an input, whose dims are not cut. */
export function like(input: number, results = 1): LinksOf {
  return ({ shapes }) => {
    const dims = (shapes[input] ?? []).map((size) => own(size));
    return { outputs: Array.from({ length: results }, () => dims) };
  };
}

/** Links of a result with the first input's dims; the other inputs stay whole. */
const rows: LinksOf = (call) => ({ outputs: [likeInput(call)] });

/** Links of results with the first input's dims, of which those named by an argument stay whole. */
function beside(name: string, otherwise: number, results = 1): LinksOf {
  return alongDims(name, [otherwise], (call, dims) => {
    const output = likeInput(call).map((each, dim) => (dims.includes(dim) ? own(each.size) : each));
    return { outputs: Array.from({ length: results }, () => output) };
  });
}

/**
 * Links of reductions over the dims that an argument names, by default all, with this number of
 * results.
 */
function along(name: string, keep: string, results = 1): LinksOf {
  return (call) => {
    const links = reduced(call, name, keep);
    if (links === undefined || typeof links === "string") return links;
    return { outputs: Array.from({ length: results }, () => links.outputs).flat() };
  };
}

/**
 * Links of a matrix times a matrix or a vector: rows and columns may be cut, and the contraction is
 * summed.
 */
const product: LinksOf = (call) => {
  const columns: readonly LinkedDim[] = call.shapes[1]?.length === 2 ? [kept(call, [1, 1])] : [];
  return { outputs: [[kept(call, [0, 0]), ...columns]], inner: [summed([0, 1], [1, 0])] };
};

/** Links of a tensor added to the product of two others; nothing is cut. */
const addedProduct: LinksOf = (call) => {
  const [input = [], x = [], y = []] = call.shapes;
  if (x.at(-1) !== y.at(-2)) return unlike(call, x.at(-1), y.at(-2));
  const [m = 1, n = 1] = [x.at(-2), y.at(-1)];
  const batch = input.length > 2 ? x.slice(0, -2) : [];
  return { outputs: [[...batch, m, n].map((size) => own(size))] };
};

/** A scalar loss; one value per element without a reduction. */
const loss: LinksOf = ({ shapes: [x = []], attributes }: LinkCall): Links => ({
  outputs: [attributes.reduction === "none" ? x.map((size) => own(size)) : []],
});

/**
 * Links of a scalar loss, or one value per row without a reduction; the second result is the sum of
 * the weights.
 */
const lossOfRows: LinksOf = (call) => ({
  outputs: [call.attributes.reduction === "none" ? [kept(call, [0, 0])] : [], []],
});

/** Links of a scalar loss, or one value per row without a reduction. */
const lossOfTriples: LinksOf = (call) => ({
  outputs: [call.attributes.reduction === "none" ? [kept(call, [0, 0])] : []],
});

/** Links of normalised rows, with mean and variance per channel as further results. */
const channels: LinksOf = (call) => {
  const each = [own(call.shapes[0]?.[1] ?? 1)];
  return { outputs: [likeInput(call), each, each] };
};

const halves: LinksOf = alongDims("dim", [-1], (call, dims) => ({
  outputs: [likeInput(call).map((each, dim) => (dims.includes(dim) ? own(each.size / 2) : each))],
}));

/** Links of determinants: one number per square matrix. */
function determinants(call: LinkCall): Links | string {
  const [x = []] = call.shapes;
  if (x.length < 2 || x.at(-1) !== x.at(-2))
    return `its matrices are square, not of (${x.join(", ")})`;
  return { outputs: [x.slice(0, -2).map((_, dim) => kept(call, [0, dim]))] };
}

/** Links of padding at both ends of the last dims; `padding` lists the last dim first. */
export const padded: LinksOf = (call) => {
  const added = numbersOf(call, "padding");
  if (added === undefined) return undefined;
  const output = likeInput(call)
    .toReversed()
    .map((each, at) => {
      const more = (added[2 * at] ?? 0) + (added[2 * at + 1] ?? 0);
      return more === 0 ? each : own(each.size + more);
    });
  return { outputs: [output.toReversed()] };
};

const diagonal: LinksOf = ({ shapes: [x = []], attributes }) => {
  const beyond = Math.abs(numberOf({ op: "", shapes: [], attributes }, "diagonal", 0));
  const [length = 1, columns] = x;
  if (columns !== undefined) return { outputs: [[own(Math.min(length, columns) - beyond)]] };
  return { outputs: [[own(length + beyond), own(length + beyond)]] };
};

/** Links of Meshgrid: one result per input, each with one dim per input. */
const grid: LinksOf = ({ shapes, attributes }) => {
  const lengths = shapes.map(([length = 1]) => own(length));
  const [first, second, ...others] = lengths;
  const isTurned = attributes.indexing !== "ij" && first !== undefined && second !== undefined;
  const dims = isTurned ? [second, first, ...others] : lengths;
  return { outputs: shapes.map(() => dims) };
};

/** Links of a tensor with the shape given as argument. */
const filled: LinksOf = (call) => {
  const sizes = numbersOf(call, "shape");
  return sizes && { outputs: [sizes.map((size) => own(size))] };
};

/** Links of images pooled to given lengths: one for both dims, or one each; None keeps a dim. */
const adaptive =
  (results: number): LinksOf =>
  (call) => {
    const x = likeInput(call);
    const { output_size: given } = call.attributes;
    const asked: readonly unknown[] = Array.isArray(given) ? given : [given, given];
    if (asked.length !== 2 || x.length < 3) return undefined;
    const pooled = x.slice(-2).map(({ size }, at) => {
      const length = asked[at] ?? size;
      return typeof length === "number" ? own(length) : undefined;
    });
    if (pooled.includes(undefined)) return undefined;
    const dims = [...x.slice(0, -2), ...pooled.filter((dim) => dim !== undefined)];
    return { outputs: Array.from({ length: results }, () => dims) };
  };

/** Primitives of functions; for most of them MindSpore 2.10 has no rule of its own. */
export const functionRows: readonly SpecRow[] = [
  ["Clone", "", "x", rows],
  ["Take", "", "x index", like(1)],
  ["FullLike", "", "x [value] [dtype]", rows],
  ["Threshold", "", "x [threshold] [value]", rows],
  ["IndexFill", "", "x [dim] index [value]", beside("dim", 0)],
  ["TensorScatterElements", "axis reduction", "x index src", like(0)],
  ["ArgSort", "", "x [dim] [descending] [stable]", beside("dim", -1), { dtype: "i64" }],
  ["CumminExt", "", "x [dim]", beside("dim", -1, 2)],
  ["GLU", "", "x [dim]", halves],
  ["Narrow", "", "x [dim] [start] [length]", narrowed],
  ["ConstantPadND", "", "x [padding] [value]", padded],
  ["Mm Mv", "", "x y", product],
  ["Dot", "", "x y", () => ({ outputs: [[]] }), { batch: [] }],
  ["Addmm Baddbmm Addbmm", "", "input x y [beta] [alpha]", addedProduct],
  ["LpNorm", "axis p keep_dims epsilon", "x", along("axis", "keep_dims")],
  ["LinalgVectorNorm", "", "x [p] [dim] [keepdim] [dtype]", along("dim", "keepdim")],
  ["LpNormV2", "", "x [p] [dim] [keepdim] [epsilon]", along("dim", "keepdim")],
  ["NLLLoss", "", "x target weight [reduction] [ignored]", lossOfRows],
  ["TripletMarginLoss", "p swap eps reduction", "x positive negative margin", lossOfTriples],
  ["BatchNormExt", "", "x weight bias mean variance [training] [momentum] [eps]", channels],
  ["LRN", "radius bias alpha beta region", "x", rows],
  ["FillDiagonal", "value wrap", "x", rows],
  ["Mvlgamma", "p", "x", rows],
  ["Nansum", "", "x [dim] [keepdim] [dtype]", along("dim", "keepdim")],
  ["CountNonZero", "", "x [dim]", along("dim", "keepdim"), { dtype: "i64" }],
  ["MedianDim", "", "x [dim] [keepdim]", along("dim", "keepdim", 2)],
  ["StdMean VarMean", "", "x [dim] [correction] [keepdim]", along("dim", "keepdim", 2)],
  ["Quantile", "dim keepdim ignores", "x [q]", along("dim", "keepdim")],
  ["MatrixDeterminant", "", "x", determinants],
  ["Trace TraceExt MedianExt TensorToScalar", "", "x", () => ({ outputs: [[]] })],
  ["Diag", "", "x", diagonal],
  ["DiagExt", "", "x [diagonal]", diagonal],
  ["Meshgrid", "indexing", "x", grid, { isVariadic: true, givesTuple: true, batch: [] }],
  ["KLDiv SoftMarginLoss", "reduction", "x target [reduction] [log_target]", loss],
  ["FillScalar", "", "[shape] [value] [dtype]", filled],
  ["NewOnes NewZeros NewEmpty", "", "x [shape] [dtype]", filled],
  ["NewFull", "", "x [shape] [value] [dtype]", filled],
  ["AdaptiveAvgPool2D", "output_size", "x", adaptive(1)],
  ["AdaptiveAvgPool2DExt", "", "x [output_size]", adaptive(1)],
  ["AdaptiveMaxPool2D", "output_size", "x", adaptive(2)],
  ["LayerNormExt", "", "x [shape] weight bias [eps]", rows],
];
