// What PyTorch 2.13 refuses of numbers that reach past what they count: classes, steps, windows, dims.

import { integerOf } from "#language/document/bindings/values";
import { type Bound, type Check, every } from "./call-fault.ts";
import { each, known, oneOf, placedDims } from "./value-faults.ts";

/** Classes that are numbers of the text, beside how many there are said to be. */
const encoded: Check = (call) => {
  const given = call.tensor("tensor");
  const type = given?.tensor;
  if (type !== undefined && type.isTypeAssumed !== true && /^(?:i32|i16|i8|u8)$/u.test(type.dtype))
    return ["RuntimeError", "one_hot is only applicable to index tensor of type LongTensor."];
  const places = given?.elements() ?? [];
  if (places.some((each) => each < 0))
    return ["RuntimeError", "Class values must be non-negative."];
  const classes = integerOf(call.value("num_classes")) ?? -1;
  const isOutside = classes !== -1 && places.some((each) => each >= classes);
  return isOutside ? ["RuntimeError", "Class values must be smaller than num_classes."] : undefined;
};

/** Sequences are no longer than what there is of them. */
const timed: Check = (call) => {
  const steps = call.tensor("log_probs")?.shape?.[0];
  const lengths = call.tensor("input_lengths")?.elements();
  const longest = lengths?.find((each) => steps !== undefined && each > steps);
  if (longest === undefined) return undefined;
  const message = `Expected input_lengths to have value at most ${steps}, but got value ${longest}`;
  return ["RuntimeError", message];
};

/** Targets are no longer than what there is of them. */
const targeted: Check = (call) => {
  const shape = call.tensor("targets")?.shape;
  const wide = shape?.length === 2 ? shape[1] : undefined;
  const longest = call
    .tensor("target_lengths")
    ?.elements()
    ?.find((each) => wide !== undefined && each > wide);
  if (longest === undefined) return undefined;
  const message = `Expected tensor to have size at least ${longest} at dimension 1, but got size ${wide} for argument #2 'targets'`;
  return ["RuntimeError", message];
};

/** So many draws of a row, which are no more than it has where none comes twice. */
const drawnFrom: Check = (call) => {
  const count = integerOf(call.value("num_samples"));
  const twice = call.value("replacement");
  const size = call.tensor("input")?.shape?.at(-1);
  if (count !== undefined && count <= 0)
    return ["RuntimeError", "cannot sample n_sample <= 0 samples"];
  const isOnce = twice === undefined || (twice.kind === "bool" && !twice.value);
  if (!isOnce || count === undefined || size === undefined || count <= size) return undefined;
  return [
    "RuntimeError",
    "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
  ];
};

const binned: Check = (call) => {
  if ((integerOf(call.value("minlength")) ?? 0) < 0)
    return ["RuntimeError", "minlength should be >= 0"];
  const input = call.tensor("input");
  const isLess = input?.elements()?.some((each) => each < 0) === true;
  if ((input?.shape?.length ?? 1) === 1 && !isLess) return undefined;
  return ["RuntimeError", "bincount only supports 1-d non-negative integral inputs."];
};

/** Dims in their places, which may be counted from the last. */
function dimsOf(call: Bound, parameter: string): readonly number[] | undefined {
  const rank = call.tensor("input")?.shape?.length;
  const dims = known(call.value(parameter));
  if (rank === undefined || dims?.every((dim) => dim !== undefined) !== true) return undefined;
  return dims.map((dim) => (dim < 0 ? dim + rank : dim));
}

const apart: Check = (call) => {
  const dims = dimsOf(call, "dims") ?? [];
  const twice = dims.find((dim, at) => dims.indexOf(dim) !== at);
  if (twice === undefined) return undefined;
  return [
    "RuntimeError",
    `${call.name}(): dim ${twice} appears multiple times in the list of dims`,
  ];
};

const moved: Check = (call) => {
  const rank = call.tensor("input")?.shape?.length ?? 0;
  const dims = ["source", "destination"].flatMap((each) => dimsOf(call, each) ?? []);
  if (dims.every((dim) => dim >= 0 && dim < rank)) return undefined;
  return [
    "IndexError",
    `Dimension out of range (expected to be in range of [${-rank}, ${rank - 1}])`,
  ];
};

const reduces = "sum prod mean amax amin max min";
const rolled: Check = (call) => {
  const [shifts, dims] = [known(call.value("shifts")), known(call.value("dims"), [])];
  if (shifts === undefined || dims === undefined) return undefined;
  if (shifts.length === dims.length || (dims.length === 0 && shifts.length < 2)) return undefined;
  return ["RuntimeError", `roll(): ${shifts.length} shifts do not align with ${dims.length} dims`];
};

/** Checks of functions by their names. */
export const extentChecks: Readonly<Record<string, Check>> = {
  one_hot: encoded,
  ctc_loss: every(timed, targeted),
  ...each("scatter_reduce scatter_reduce_", oneOf("reduce", reduces, "RuntimeError")),
  ...each("index_reduce index_reduce_", oneOf("reduce", "prod mean amax amin", "RuntimeError")),
  ...each("cumprod cumprod_ cummax cummin logcumsumexp argsort sort", placedDims),
  meshgrid: oneOf("indexing", "ij xy", "RuntimeError"),
  div: oneOf("rounding_mode", "trunc floor", "RuntimeError"),
  multinomial: drawnFrom,
  bincount: binned,
  flip: apart,
  roll: rolled,
  ...each("movedim moveaxis", moved),
};
