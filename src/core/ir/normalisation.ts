import { product } from "#core/arithmetic";
import {
  apply,
  type Body,
  type Expr,
  folded,
  mapped,
  read,
  type Table,
  table,
  tabled,
} from "./body/body.ts";
import { add, div, mul, sub } from "./body/expressions.ts";
import {
  alongDim,
  axesBeside,
  axesIn,
  axisAt,
  type BoundCall,
  type CallShapes,
  frozenAt,
  letter,
  listOf,
  numberOf,
  operandAt,
  shapeAt,
} from "./call.ts";
import { define } from "./define.ts";
import type { Backward, LibraryEntry } from "./entry.ts";
import { softmaxBackward, softmaxBody } from "./softmax.ts";

const [dy, y] = [read(0), read(2)];

const shifted = sub(read(0), table("top"));

/** A norm's index axes for its statistics, and whether the mean is subtracted first. */
interface Norm {
  readonly over: (call: BoundCall) => readonly string[];
  readonly isCentred: boolean;
}

/** Tables `mean`, `scale` (1/√variance) and the normalised value of operand `at`. */
function statistics(
  { over, isCentred }: Norm,
  call: BoundCall,
  at: number,
): { tables: readonly Table[]; value: Expr } {
  const reduced = over(call);
  const kept = axesIn(call, operandAt(call, 0)).filter((name) => !reduced.includes(name));
  const sizes = call.axes.filter(({ name }) => reduced.includes(name)).map(({ size }) => size);
  const count = product(sizes);
  const centred = isCentred ? sub(read(at), table("mean")) : read(at);
  const mean = tabled("mean", kept, folded("sum", reduced, div(read(at), count)));
  const variance = folded("sum", reduced, div(mul(centred, centred), count));
  const scale = apply("rsqrt", add(table("variance"), numberOf(call, "eps", 1e-5)));
  const tables = [
    ...(isCentred ? [mean] : []),
    tabled("variance", kept, variance),
    tabled("scale", kept, mapped(scale)),
  ];
  return { tables, value: mul(centred, table("scale")) };
}

/** @param further tables that are results after the normalised value */
function normBody(norm: Norm, further: readonly string[]): LibraryEntry["body"] {
  return (call) => {
    const { tables, value } = statistics(norm, call, 0);
    const weighted = call.inputs[1] === undefined ? value : mul(value, read(1));
    const shiftedBy = call.inputs[2] === undefined ? weighted : add(weighted, read(2));
    return { tables, outputs: [shiftedBy, ...further.map(table)].map(mapped) };
  };
}

/**
 * `dx = scale · (g − mean(g) − x̂ · mean(g·x̂))` with `g = dy · weight`, the means over the norm's
 * axes and the first only where it centres; `dweight = Σ dy · x̂`, `dbias = Σ dy`.
 */
function normBackward(norm: Norm): Backward {
  return {
    targets: [0, 1, 2],
    isOneKernel: true,
    body: (call, target): Body => {
      const { tables, value: normal } = statistics(norm, call, 1);
      const operand = operandAt(call, target);
      const summed = target === 1 ? mul(read(0), normal) : read(0);
      if (target > 0) {
        return { tables, outputs: [folded("sum", axesBeside(call, operand), summed)] };
      }
      const reduced = norm.over(call);
      const kept = axesIn(call, operand).filter((name) => !reduced.includes(name));
      const sizes = call.axes.filter(({ name }) => reduced.includes(name)).map(({ size }) => size);
      const count = product(sizes);
      const g = call.inputs[1] === undefined ? read(0) : mul(read(0), read(2));
      const means = [
        tabled("drift", kept, folded("sum", reduced, div(g, count))),
        tabled("slope", kept, folded("sum", reduced, div(mul(g, normal), count))),
      ];
      const level = norm.isCentred ? sub(g, table("drift")) : g;
      const value = mul(table("scale"), sub(level, mul(normal, table("slope"))));
      return { tables: [...tables, ...means], outputs: [mapped(value)] };
    },
  };
}

/**
 * An affine norm; `annotate` names the dims of x, and those of weight and bias. Its further results
 * are statistics, with 1 where x is reduced; no gradient comes back from them.
 */
function normed(
  name: string,
  norm: Norm,
  annotate: (call: CallShapes) => { x: string; weight: string },
  sample: LibraryEntry["sample"],
  { parameters = ["eps"], further = [] }: NormOptions = {},
): LibraryEntry {
  return define({
    name,
    parameters: ["x", "weight", "bias", ...parameters],
    tensors: 3,
    required: 1,
    annotate: (call) => {
      const { x, weight } = annotate(call);
      const others = call.inputs.slice(1).map((shape) => (shape === undefined ? "?" : weight));
      const statistic = x.replaceAll(/\S+\^/gu, "1");
      const results = [x, ...further.map(() => statistic)];
      return `${[x, ...others].join(", ")} -> ${results.join(", ")}`;
    },
    body: normBody(norm, further),
    gradient: normBackward(norm),
    sample,
  });
}

interface NormOptions {
  readonly parameters?: readonly string[];
  readonly further?: readonly string[];
}

/** The number of last dims that are normalised: those of the weight, or of the given shape. */
function trailingCount(call: Pick<CallShapes, "attributes">, weights: number | undefined): number {
  return weights ?? listOf(call, "normalized_shape")?.length ?? 1;
}

/**
 * The annotation of x, its normalised last dims frozen, and of the weight, which has these dims.
 */
function trailing(call: CallShapes): { x: string; weight: string } {
  const rank = shapeAt(call, 0).length;
  const count = trailingCount(call, call.inputs[1]?.length);
  const dims = frozenAt(rank, (dim) => dim >= rank - count);
  return { x: dims.join(" "), weight: dims.slice(rank - count).join(" ") };
}

const overTrailing: Norm["over"] = (call) => {
  const x = operandAt(call, 0);
  const count = trailingCount(call, call.inputs[1]?.shape.length);
  return x.dims.slice(x.dims.length - count).map(({ identifiers }) => identifiers[0] ?? "");
};

/** The first normalised dim, from `begin_norm_axis`; the weight's first dim if absent. */
function normBegin(attributes: CallShapes["attributes"], rank: number, weights: number): number {
  const given = attributes.begin_norm_axis;
  if (typeof given !== "number") return rank - weights;
  return given < 0 ? given + rank : given;
}

/** The dims from `begin_norm_axis` on, whatever the weight has. */
function trailingFrom(call: CallShapes): { x: string; weight: string } {
  const rank = shapeAt(call, 0).length;
  const count = call.inputs[1]?.length ?? 1;
  const begin = normBegin(call.attributes, rank, count);
  const dims = frozenAt(rank, (dim) => dim >= begin);
  return { x: dims.join(" "), weight: dims.slice(rank - count).join(" ") };
}

const overTrailingFrom: Norm["over"] = (call) => {
  const x = operandAt(call, 0);
  const begin = normBegin(call.attributes, x.dims.length, call.inputs[1]?.shape.length ?? 1);
  return x.dims.slice(begin).map(({ identifiers }) => identifiers[0] ?? "");
};

/** Dim 1 holds channels; statistics over the dims that a test picks. */
function channelled(isFrozen: (dim: number) => boolean) {
  return (call: CallShapes) => {
    const dims = frozenAt(shapeAt(call, 0).length, isFrozen);
    return { x: dims.join(" "), weight: dims[1] ?? letter(1) };
  };
}

function overDims(isReduced: (dim: number) => boolean): Norm["over"] {
  return (call) => {
    const x = operandAt(call, 0);
    return x.dims.flatMap((_, dim) => (isReduced(dim) ? [axisAt(x, dim)] : []));
  };
}

/** `n (groups c) h w`: the number of groups is an argument of that name. */
function grouped(call: CallShapes): { x: string; weight: string } {
  const [batch = "a", , ...spatial] = frozenAt(shapeAt(call, 0).length, (dim) => dim > 1);
  const channels = `(groups ${letter(1)}^)`;
  return { x: [batch, channels, ...spatial].join(" "), weight: channels };
}

const overGroups: Norm["over"] = (call) =>
  operandAt(call, 0).dims.flatMap(({ identifiers }, dim) =>
    dim === 0 ? [] : identifiers.filter((name) => name !== "groups"),
  );

const image: LibraryEntry["sample"] = (n) => ({
  inputs: [[n("n"), n("c"), n("h"), n("w")], [n("c")], [n("c")]],
  attributes: {},
});

/** Norm without a weight: the attribute `normalized_shape` gives the number of normalised dims. */
const overShape: NormOptions = { parameters: ["eps", "normalized_shape"] };

const isSpatial = (dim: number) => dim > 1;

const isNoChannel = (dim: number) => dim !== 1;

export const normalisation: readonly LibraryEntry[] = [
  define({
    name: "softmax",
    parameters: ["x", "dim"],
    tensors: 1,
    annotate: alongDim,
    body: softmaxBody(div(apply("exp", shifted), table("total")), 1),
    gradient: softmaxBackward(mul(dy, y), mul(y, sub(dy, table("sum")))),
    sample: (n) => ({ inputs: [[n("a"), n("b"), n("c")]], attributes: { dim: -1 } }),
  }),
  define({
    name: "log_softmax",
    parameters: ["x", "dim"],
    tensors: 1,
    annotate: alongDim,
    body: softmaxBody(sub(shifted, apply("log", table("total"))), 0),
    gradient: softmaxBackward(dy, sub(dy, mul(apply("exp", y), table("sum")))),
    sample: (n) => ({ inputs: [[n("a"), n("b"), n("c")]], attributes: { dim: 1 } }),
  }),
  normed(
    "layer_norm",
    { over: overTrailing, isCentred: true },
    trailing,
    (n) => ({
      inputs: [[n("a"), n("b"), n("c")], [n("c")], [n("c")]],
      attributes: { eps: 1e-5 },
    }),
    overShape,
  ),
  normed(
    "rms_norm",
    { over: overTrailing, isCentred: false },
    trailing,
    (n) => ({
      inputs: [[n("a"), n("b"), n("c")], [n("c")]],
      attributes: { eps: 1e-6 },
    }),
    overShape,
  ),
  normed(
    "layer_norm_with_moments",
    { over: overTrailingFrom, isCentred: true },
    trailingFrom,
    (n) => ({ inputs: [[n("a"), n("b"), n("c")], [n("c")], [n("c")]], attributes: { eps: 1e-5 } }),
    { parameters: ["eps", "begin_norm_axis"], further: ["mean", "variance"] },
  ),
  normed(
    "rms_norm_with_root",
    { over: overTrailing, isCentred: false },
    trailing,
    (n) => ({ inputs: [[n("a"), n("b"), n("c")], [n("c")]], attributes: { eps: 1e-6 } }),
    { further: ["scale"] },
  ),
  normed(
    "group_norm",
    { over: overGroups, isCentred: true },
    grouped,
    (n) => ({
      inputs: [[n("n"), 2 * n("c"), n("h"), n("w")], [2 * n("c")], [2 * n("c")]],
      attributes: { groups: n("c") },
    }),
    { parameters: ["groups", "eps"] },
  ),
  normed(
    "batch_norm",
    { over: overDims(isNoChannel), isCentred: true },
    channelled(isNoChannel),
    image,
  ),
  normed(
    "instance_norm",
    { over: overDims(isSpatial), isCentred: true },
    channelled(isSpatial),
    image,
  ),
];
