// What PyTorch 2.13 refuses of the values of arguments: sizes, dims, settings, and data of tensors.

import { product } from "#core/arithmetic";
import {
  integerOf,
  integersOf,
  itemsOf,
  numberOf,
  textOf,
} from "#language/document/bindings/values";
import type { Value } from "#language/python";
import { type Bound, type CallFault, type Check, every } from "./call-fault.ts";

/** A text that must be one of some. */
export function oneOf(parameter: string, texts: string, kind = "ValueError"): Check {
  return (call) => {
    const given = textOf(call.value(parameter));
    if (given === undefined || texts.split(" ").includes(given)) return undefined;
    const usual = texts.split(" ").join(", ");
    return [kind, `${call.name}(): "${given}" is no value for ${parameter}: it is one of ${usual}`];
  };
}

export const reductions = "none mean sum elementwise_mean";
const reduced = oneOf("reduction", reductions);

/** Whole numbers in a row, or one alone. */
function row(value: Value | undefined): readonly number[] {
  const one = integerOf(value);
  return one === undefined ? ((value && integersOf(value)) ?? []) : [one];
}

/** Whole numbers in a row or one alone, as far as there are as many in a run. */
export function known(
  value: Value | undefined,
  usual?: readonly Value[],
): readonly (number | undefined)[] | undefined {
  const items = value === undefined || value.kind === "none" ? usual : itemsOf(value);
  if (items !== undefined) return items.map(integerOf);
  return value === undefined || integerOf(value) === undefined ? undefined : [integerOf(value)];
}

function sizes(parameter: string): Check {
  return (call) => {
    const value = call.value(parameter);
    const float = [value, ...(itemsOf(value) ?? [])].some((each) => each?.kind === "float");
    if (float) return ["TypeError", `${call.name}(): a size must be an integer, not a float`];
    const wrong = row(value).find((size) => size < 0);
    return wrong === undefined
      ? undefined
      : ["RuntimeError", `${call.name}(): a dimension cannot have the size ${wrong}`];
  };
}

/** A shape of which one size may be left open by -1. */
const shaped: Check = (call) => {
  const wrong = row(call.value("shape")).find((size) => size < -1);
  return wrong === undefined
    ? undefined
    : ["RuntimeError", `${call.name}(): invalid shape dimension ${wrong}`];
};

/** A dim of the first tensor, or several of them. */
function placed(parameter: string, first = "input"): Check {
  return (call) => {
    const shape = call.tensor(first)?.shape;
    if (shape === undefined) return undefined;
    const most = Math.max(1, shape.length);
    const wrong = row(call.value(parameter)).find((dim) => dim >= most || dim < -most);
    return wrong === undefined
      ? undefined
      : ["IndexError", `${call.name}(): dim ${wrong} is out of range: ${-most} to ${most - 1}`];
  };
}

export const placedDims = placed("dim");

/** Dims under their usual names, of a function that has no check of its own. */
export const namedDims = every(
  placedDims,
  placed("dim", "y"),
  ...["dim0", "dim1", "dim2", "dimension"].map((parameter) => placed(parameter)),
);

const ordered: Check = (call) => {
  const p = call.value("p");
  const isText = p?.kind === "str" && p.value !== "fro" && p.value !== "nuc";
  if (!isText && !["list", "tuple", "dict"].includes(p?.kind ?? "")) {
    if (call.tensor("p") === undefined) return placedDims(call);
  }
  return ["TypeError", `${call.name}(): the order of a norm is a number`];
};

/** The size of a dim of the first tensor. */
function sizeAt(call: Bound, parameter: string): number | undefined {
  const dim = integerOf(call.value(parameter));
  return dim === undefined ? undefined : call.tensor("input")?.shape?.at(dim);
}

const narrowed: Check = (call) => {
  const [start, length] = [integerOf(call.value("start")), integerOf(call.value("length"))];
  const size = sizeAt(call, "dim");
  if (start === undefined || length === undefined || size === undefined) return undefined;
  const from = start < 0 ? start + size : start;
  if (from >= 0 && length >= 0 && from + length <= size) return undefined;
  const message = `narrow(): start (${start}) + length (${length}) exceeds dimension size (${size})`;
  return ["RuntimeError", message];
};

const unfolded: Check = (call) => {
  const [given, step] = [integerOf(call.value("size")), integerOf(call.value("step"))];
  const size = sizeAt(call, "dimension");
  if (step !== undefined && step < 1)
    return ["RuntimeError", `unfold(): step is ${step} but must be > 0`];
  if (given === undefined || size === undefined || given <= size) return undefined;
  return ["RuntimeError", `unfold(): the dim has ${size} elements, but the size is ${given}`];
};

const twoDims: Check = (call) => {
  const rank = call.tensor("input")?.shape?.length;
  const [one, other] = [call.value("dim1"), call.value("dim2")].map(integerOf);
  if (rank === undefined) return undefined;
  const place = (dim: number) => (dim < 0 ? dim + rank : dim);
  if (place(one ?? 0) !== place(other ?? 1)) return undefined;
  return ["RuntimeError", `${call.name}(): both dims are ${place(one ?? 0)}`];
};

const limited: Check = (call) =>
  call.has("min") || call.has("max")
    ? undefined
    : ["RuntimeError", `${call.name}(): at least one of min and max must be given`];

const counted: Check = (call) => {
  const [first, second, third] = ["start", "end", "step"].map((each) => call.value(each));
  const isNoNumber = [first, second, third].some(
    (each) => each !== undefined && ["str", "list", "tuple", "dict", "none"].includes(each.kind),
  );
  if (isNoNumber) return ["TypeError", "arange() takes numbers"];
  const [a, b] = [numberOf(first), numberOf(second)];
  const [start, end] = second === undefined ? [0, a] : [a, b];
  const step = third === undefined ? 1 : numberOf(third);
  if (step === 0) return ["RuntimeError", "arange(): step must be nonzero"];
  if (start === undefined || end === undefined || step === undefined) return undefined;
  if ((end - start) * step >= 0) return undefined;
  return [
    "RuntimeError",
    `arange(): upper bound and lower bound inconsistent with step sign: ${start} to ${end} by ${step}`,
  ];
};

/** Whole numbers below one, or between two, of a shape. */
const drawn: Check = (call) => {
  const [first, second] = [call.value("low"), call.value("high")];
  const isShape = (value: Value | undefined) => value !== undefined && itemsOf(value) !== undefined;
  if (first !== undefined && !isShape(first) && second === undefined && !call.has("size"))
    return ["TypeError", "randint() takes a size"];
  const size = call.value("size");
  const wrong = isShape(second) ? undefined : (size ?? second);
  if (wrong?.kind === "int")
    return ["TypeError", "randint(): argument 'size' must be tuple of ints, not int"];
  const shape = isShape(second) ? "high" : "size";
  const fault = sizes(shape)(call);
  if (fault !== undefined) return fault;
  if (
    [first, isShape(second) ? undefined : second].some(
      (each) => each?.kind === "float" || each?.kind === "str",
    )
  )
    return ["TypeError", "randint(): the bounds must be integers"];
  const [low, high] =
    isShape(second) || second === undefined
      ? [0, numberOf(first)]
      : [numberOf(first) ?? 0, numberOf(second)];
  if (high === undefined || low < high) return undefined;
  const message = `random_ expects 'from' to be less than 'to', but got from=${low} >= to=${high}`;
  return ["RuntimeError", message];
};

/** Checks the data of a new tensor: numbers, in rows of equal length. */
const dataOf: Check = (call) => {
  const data = call.value("data");
  if (data === undefined) return undefined;
  if (["str", "none", "dict", "set"].includes(data.kind))
    return [
      "TypeError",
      `tensor(): no tensor can be made of ${data.kind === "none" ? "None" : data.kind}`,
    ];
  return evenRows(data) ?? numbersAlone(data, call);
};

/** Tensors in a list become numbers, which those of several elements are not. */
function numbersAlone(value: Value, call: Bound): CallFault | undefined {
  const isArray = (each: Value) => each.kind === "host" && each.type.name === "numpy.ndarray";
  const several = itemsOf(value)?.some(
    (each) => !isArray(each) && (product(call.of(each)?.shape ?? []) ?? 1) > 1,
  );
  return several === true
    ? ["ValueError", "only one element tensors can be converted to Python scalars"]
    : undefined;
}

function evenRows(value: Value): CallFault | undefined {
  const items = itemsOf(value) ?? [];
  if (items.some(({ kind }) => kind === "str"))
    return ["ValueError", "tensor(): too many dimensions 'str'"];
  const lengths = items.map((each) => itemsOf(each)?.length);
  const odd = lengths.findIndex((length) => length !== lengths[0]);
  const isPlain = items.every(({ kind }) =>
    ["list", "tuple", "int", "float", "bool"].includes(kind),
  );
  if (odd >= 0 && isPlain) {
    const message = `tensor(): expected sequence of length ${lengths[0] ?? 0} at dim 1 (got ${lengths[odd] ?? 0})`;
    return ["ValueError", message];
  }
  for (const each of items) {
    const fault = evenRows(each);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A weight has the shape that is normalised, which is that of the last dims. */
const normalised: Check = (call) => {
  const shape = call.tensor("input")?.shape;
  const given = row(call.value("normalized_shape"));
  if (shape === undefined || given.length === 0) return undefined;
  if (shape.slice(-given.length).join() !== given.join())
    return [
      "RuntimeError",
      `${call.name}(): normalized_shape is [${given.join(", ")}], but the last dims are [${shape.slice(-given.length).join(", ")}]`,
    ];
  const weight = call.tensor("weight")?.shape;
  if (weight === undefined || weight.join() === given.join()) return undefined;
  return [
    "RuntimeError",
    `${call.name}(): the weight has the shape [${weight.join(", ")}], not [${given.join(", ")}]`,
  ];
};

/** Statistics that are learnt must be there outside of training. */
const learnt: Check = (call) => {
  const training = call.value("training");
  const isOff = training === undefined || (training.kind === "bool" && !training.value);
  if (!isOff || call.has("running_mean")) return undefined;
  return ["RuntimeError", "batch_norm(): running_mean must be defined in evaluation mode"];
};

const masked: Check = (call) => {
  const rank = call.tensor("value")?.shape?.length;
  if (rank === undefined || rank === 0) return undefined;
  return ["RuntimeError", `masked_fill(): the value has ${rank} dims, and must have none`];
};

const losses = `l1_loss mse_loss smooth_l1_loss huber_loss binary_cross_entropy
  binary_cross_entropy_with_logits poisson_nll_loss soft_margin_loss hinge_embedding_loss
  margin_ranking_loss cosine_embedding_loss triplet_margin_loss multi_margin_loss`;

export const each = (names: string, check: Check) =>
  Object.fromEntries(names.split(/\s+/u).map((name) => [name, check]));

/** A list of tensors with none in it. */
const filled: Check = ({ name, value }) =>
  itemsOf(value("tensors"))?.length === 0
    ? ["RuntimeError", `${name}(): expected a non-empty list of tensors`]
    : undefined;

/** Checks of a call's argument values, by the name of the function. */
export const valueChecks: Readonly<Record<string, Check>> = {
  ...each("cat concat hstack stack vstack", filled),
  ...each(losses, reduced),
  ...each("cross_entropy nll_loss", reduced),
  kl_div: oneOf("reduction", `${reductions} batchmean`),
  ...each("zeros ones empty rand randn full new_zeros new_ones new_empty new_full", sizes("size")),
  ...each("reshape view", shaped),
  ...each("narrow narrow_copy", narrowed),
  ...each("clamp clip", limited),
  masked_fill: masked,
  eye: sizes("n"),
  squeeze: placedDims,
  norm: ordered,
  normalize: ordered,
  unfold: unfolded,
  diagonal: twoDims,
  arange: counted,
  randint: drawn,
  tensor: dataOf,
  layer_norm: normalised,
  rms_norm: normalised,
  batch_norm: learnt,
  pad: oneOf("mode", "constant reflect replicate circular", "NotImplementedError"),
};
