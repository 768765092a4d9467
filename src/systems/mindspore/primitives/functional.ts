import { product } from "#core/arithmetic";
import { dimsNamed, notOfRank, numberOf, numbersOf } from "./arguments.ts";
import {
  broadcast,
  kept,
  type LinkCall,
  type LinkedDim,
  type Links,
  likeInput,
  own,
  summed,
} from "./links.ts";
import type { SpecRow } from "./spec.ts";

const same = (call: LinkCall): Links => ({ outputs: [likeInput(call)] });
const stretched = (call: LinkCall): Links => ({
  outputs: [broadcast(call)],
  isInResultOrder: true,
});

/** Links of a result like the input, of which one dim stays whole. */
function normalised(call: LinkCall): Links | string | undefined {
  const rank = call.shapes[0]?.length ?? 0;
  const [dim] = dimsNamed(call, "dim", rank, [rank - 1]) ?? [];
  if (dim === undefined) return notOfRank(call, "dim", rank);
  return { outputs: [likeInput(call).map((each, at) => (at === dim ? own(each.size) : each))] };
}

/** Links of a transposition of two dims. */
function swapped(call: LinkCall): Links | string | undefined {
  const rank = call.shapes[0]?.length ?? 0;
  const [a] = dimsNamed(call, "dim0", rank, [0]) ?? [];
  const [b] = dimsNamed(call, "dim1", rank, [1]) ?? [];
  if (a === undefined || b === undefined) return notOfRank(call, "dim0", rank);
  const dims = likeInput(call);
  const [first, second] = [dims[a], dims[b]];
  if (first === undefined || second === undefined) return undefined;
  const moved = dims.with(a, second).with(b, first);
  return { outputs: [a === b ? dims : moved.map((each, dim) => inPlace(each, dim))] };
}

function permuted(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const order = dimsNamed(call, "dims", x.length, []);
  if (order === undefined || order.length !== x.length) return notOfRank(call, "dims", x.length);
  return { outputs: [order.map((dim, at) => inPlace(kept(call, [0, dim]), at))] };
}

/** A view splits only dim 0: dims moved from or to dim 0 are not cut. */
function inPlace(dim: LinkedDim, at: number): LinkedDim {
  return dim.refs.some(([, from]) => (from === 0) !== (at === 0)) ? own(dim.size) : dim;
}

/** Links of a flattening of neighbouring dims; the joined dim is linked to the first of them. */
function merged(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const [start] = dimsNamed(call, "start_dim", x.length, [0]) ?? [];
  const [end] = dimsNamed(call, "end_dim", x.length, [x.length - 1]) ?? [];
  if (start === undefined || end === undefined) return notOfRank(call, "start_dim", x.length);
  const size = product(x.slice(start, end + 1));
  const dims = likeInput(call);
  return {
    outputs: [[...dims.slice(0, start), { size, refs: [[0, start]] }, ...dims.slice(end + 1)]],
  };
}

/** Links of a batched matrix product; each operand may have batch dims. */
function batched(call: LinkCall): Links | string {
  const [x = [], y = []] = call.shapes;
  if (x.at(-1) !== y.at(-2)) return unlike(call, x.at(-1), y.at(-2));
  const [m, k, n] = [x.length - 2, x.length - 1, y.length - 1];
  const batch = x.slice(0, -2).map((_, dim) => kept(call, [0, dim], [1, dim]));
  return {
    outputs: [[...batch, kept(call, [0, m]), kept(call, [1, n])]],
    inner: [summed([0, k], [1, k - 1])],
  };
}

/** Message for two contracted dims of different sizes. */
export function unlike({ op }: LinkCall, a: number | undefined, b: number | undefined): string {
  return `${op} multiplies a dim of ${a} by one of ${b} elements`;
}

/** Links of a linear layer; dim 0 of the weight is the output dim. */
function linear(call: LinkCall): Links | string {
  const [x = [], weight = [], bias] = call.shapes;
  if (x.at(-1) !== weight.at(-1)) return unlike(call, x.at(-1), weight.at(-1));
  const last = x.length - 1;
  const rows = x.slice(0, -1).map((_, dim) => kept(call, [0, dim]));
  const columns = kept(call, [1, 0], ...(bias === undefined ? [] : [[2, 0] as const]));
  return { outputs: [[...rows, columns]], inner: [summed([0, last], [1, 1])] };
}

/** Links of an outer product of two vectors. */
function crossed(call: LinkCall): Links {
  return { outputs: [[kept(call, [0, 0]), kept(call, [1, 0])]] };
}

/** Links of a scalar over all elements, combined over devices. */
function whole(call: LinkCall): Links {
  return { outputs: [[]], inner: likeInput(call).map(({ refs }) => summed(...refs)) };
}

/** Links of a scalar whose parts 2.10 does not combine over devices. */
function smallest(call: LinkCall): Links {
  return { outputs: [[]], inner: likeInput(call).map(({ refs }) => ({ refs, isSummed: false })) };
}

/** Links of a reduction over the dims that an argument names, with 1 for them if `keep` is set. */
export function reduced(call: LinkCall, name: string, keep: string): Links | string | undefined {
  const [x = []] = call.shapes;
  const given = call.attributes[name];
  const isAll = given === null || (Array.isArray(given) && given.length === 0);
  const dims = isAll ? [...x.keys()] : dimsNamed(call, name, x.length, [...x.keys()]);
  if (dims === undefined) return notOfRank(call, name, x.length);
  const left = call.attributes[keep] === true ? [own(1)] : [];
  return {
    outputs: [likeInput(call).flatMap((each, dim) => (dims.includes(dim) ? left : [each]))],
  };
}

function spread(call: LinkCall): Links | string | undefined {
  return reduced(call, "dim", "keepdim");
}

/** Links of standard deviation and mean. */
function spreadTwice(call: LinkCall): Links | string | undefined {
  const links = reduced(call, "axis", "keep_dims");
  if (links === undefined || typeof links === "string") return links;
  return { outputs: [...links.outputs, ...links.outputs] };
}

/** Links of an inserted dim of length 1. */
function widened(call: LinkCall): Links | string | undefined {
  const rank = (call.shapes[0]?.length ?? 0) + 1;
  const [dim] = dimsNamed(call, "axis", rank, [0]) ?? [];
  if (dim === undefined) return notOfRank(call, "axis", rank);
  // A view that inserts a dim before dim 0 leaves dim 0 whole.
  const unsplit = dim === 0 ? { unsplit: [[0, 0]] as const } : {};
  return { outputs: [likeInput(call).toSpliced(dim, 0, own(1))], ...unsplit };
}

/** Links of the input broadcast to the second input's shape; only that shape is read. */
function stretchedTo(call: LinkCall): Links {
  const [x = [], wide = []] = call.shapes;
  return { outputs: [stretchedOver(call, x, wide)] };
}

/**
 * Links of the input in the shape of another tensor; dim 0 follows the input's if both are equally
 * long.
 */
function viewedAs(call: LinkCall): Links {
  const [[rows] = [], shape = []] = call.shapes;
  const dims = shape.map((size, at) =>
    at === 0 && size === rows ? kept(call, [0, 0]) : own(size),
  );
  return { outputs: [dims] };
}

function widenedTo(call: LinkCall): Links | undefined {
  const [x = []] = call.shapes;
  const wide = numbersOf(call, "shape");
  // Lengths given explicitly are not cut with the input; -1 keeps a dim.
  const lead = wide === undefined ? 0 : wide.length - x.length;
  const dims = wide?.map((size, at) =>
    at >= lead && size === -1 ? kept(call, [0, at - lead]) : own(size === -1 ? 1 : size),
  );
  return dims && { outputs: [dims], splitsAnyway: wide?.[lead] !== -1 && (x[0] ?? 1) > 1 };
}

function stretchedOver(call: LinkCall, x: readonly number[], wide: readonly number[]) {
  const lead = wide.length - x.length;
  return wide.map((size, at) => {
    const dim = at - lead;
    return dim >= 0 && (size === -1 || size === x[dim]) ? kept(call, [0, dim]) : own(size);
  });
}

/** Links of a split along one dim, into pieces of one size or of given sizes. */
function splitInSizes(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const [dim] = dimsNamed(call, "dim", x.length, [0]) ?? [];
  const sizes = numbersOf(call, "split_size");
  if (dim === undefined || sizes === undefined) return notOfRank(call, "dim", x.length);
  const [size = 1] = sizes;
  if (Array.isArray(call.attributes.split_size)) return inPieces(call, dim, sizes);
  if (size < 1) return `its pieces are 1 long or more, not ${size}`;
  return inPieces(call, dim, evenly(x[dim] ?? 1, size));
}

function chunked(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const [dim] = dimsNamed(call, "dim", x.length, [0]) ?? [];
  if (dim === undefined) return notOfRank(call, "dim", x.length);
  const length = x[dim] ?? 1;
  const chunks = numberOf(call, "chunks", 1);
  if (chunks < 1) return `its chunks are 1 or more, not ${chunks}`;
  return inPieces(call, dim, evenly(length, Math.ceil(length / chunks)));
}

export function narrowed(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const [dim] = dimsNamed(call, "dim", x.length, [0]) ?? [];
  if (dim === undefined) return notOfRank(call, "dim", x.length);
  return { outputs: [likeInput(call).with(dim, own(numberOf(call, "length", 1)))] };
}

function unstacked(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const [dim] = dimsNamed(call, "dim", x.length, [0]) ?? [];
  if (dim === undefined) return notOfRank(call, "dim", x.length);
  const output = likeInput(call).toSpliced(dim, 1);
  return { outputs: Array.from({ length: x[dim] ?? 1 }, () => output) };
}

function selected(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const [dim] = dimsNamed(call, "dim", x.length, [0]) ?? [];
  if (dim === undefined) return notOfRank(call, "dim", x.length);
  return { outputs: [likeInput(call).toSpliced(dim, 1)] };
}

function evenly(length: number, size: number): readonly number[] {
  const full = Array.from({ length: Math.floor(length / size) }, () => size);
  return length % size === 0 ? full : [...full, length % size];
}

function inPieces(call: LinkCall, dim: number, sizes: readonly number[]): Links {
  const dims = likeInput(call);
  return { outputs: sizes.map((size) => dims.with(dim, own(size))) };
}

/** Links of repeating every element along a dim. */
function repeatedEach(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const dims = dimsNamed(call, "dim", x.length, []);
  if (dims === undefined) return notOfRank(call, "dim", x.length);
  const [dim] = dims;
  if (dim === undefined) return undefined;
  const size = (x[dim] ?? 1) * numberOf(call, "repeats", 1);
  return { outputs: [likeInput(call).with(dim, { size, refs: [[0, dim]] })] };
}

function meanSquared(call: LinkCall): Links {
  const dims = likeInput(call).map(({ size }) => own(size));
  return { outputs: [call.attributes.reduction === "none" ? dims : []] };
}

/** Views of MindSpore's `mint`, and its functions that are a primitive of their own. */
export const functionalRows: readonly SpecRow[] = [
  [
    "AcosExt AcoshExt AsinExt AsinhExt AtanExt Angle CeLU Conj Frac GeluExt GetData Hardtanh Imag Log10 Log2 MishExt OnesLikeExt Real SeLUExt ZerosLikeExt",
    "",
    "x",
    same,
  ],
  ["IsNegInf", "", "x", same, { dtype: "bool" }],
  ["AddScalar SubScalar", "", "x [other] [alpha]", same],
  ["FloorDivScalar PowTensorScalar XLogYScalarOther", "", "x [other]", same],
  ["LessScalar EqScalar", "", "x [other]", same, { dtype: "bool" }],
  ["Divs RemainderTensorScalar", "", "x [other]", same],
  ["BitwiseAndScalar BitwiseOrScalar BitwiseXorScalar", "", "x [other]", same],
  ["BitwiseNot", "", "x", same],
  ["Ger", "", "x y", crossed, { batch: [[0, 0]] }],
  ["Outer", "", "x y", crossed, { batch: [[0, 0]], takesLayouts: true }],
  ["Max", "", "x", whole, { takesLayouts: true }],
  ["Min", "", "x", smallest, { batch: [] }],
  ["Var Std", "", "x [dim] [correction] [keepdim]", spread],
  ["ReduceStd", "axis unbiased keep_dims", "x", spreadTwice],
  ["ExpandDimsView", "", "x [axis]", widened],
  ["ExpandAs", "", "x other", stretchedTo],
  ["ViewAs", "", "x other", viewedAs],
  ["TypeAs", "", "x other", same, { splitsFirst: true }],
  ["MaskedFillScalar", "", "x mask [value]", same, { splitsFirst: true }],
  ["UnstackExtView", "", "x [dim]", unstacked],
  ["NarrowView", "", "x [dim] [start] [length]", narrowed],
  ["SplitTensorView", "", "x [split_size] [dim]", splitInSizes],
  ["SplitWithSizeView", "", "x [split_size] [dim]", splitInSizes],
  ["Chunk ChunkView", "", "x [chunks] [dim]", chunked],
  ["BroadcastToView", "", "x [shape]", widenedTo],
  [
    "RepeatInterleaveInt",
    "",
    "x [repeats] [dim] [output_size]",
    repeatedEach,
    { takesLayouts: true },
  ],
  ["MSELossExt L1LossExt", "", "x target [reduction]", meanSquared, { batch: [] }],
  ["SelectExtView", "", "x [dim] [index]", selected],
  ["LogSoftmaxExt", "", "x [dim] [dtype]", normalised],
  ["Atan2Ext Fmax Fmin LogAddExp LogAddExp2", "", "x y", stretched],
  ["ClampTensor", "", "x min max", stretched],
  ["TransposeExtView", "", "x [dim0] [dim1]", swapped],
  ["TransposeView", "", "x [dims]", permuted],
  ["TExt", "", "x", (call) => ((call.shapes[0]?.length ?? 0) < 2 ? same(call) : swapped(call))],
  ["FlattenExt", "", "x [start_dim] [end_dim]", merged],
  ["BatchMatMulExt", "", "x y", batched],
  ["Dense", "", "x weight bias", linear],
];
