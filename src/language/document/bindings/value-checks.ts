import type { Span } from "#core/diagnostics";
import type { LibraryEntry } from "#core/ir";
import { fieldOf } from "#core/records";
import type { Argument, Context, Value } from "#language/python";
import type { PlainOperand, TracedTensor } from "../trace/traced.ts";
import type { At } from "./call-place.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { integerOf, integersOf, numberOf } from "./values/values.ts";

/** A library call whose number arguments are checked. */
interface Checked {
  /** Name of the called function in the text. */
  readonly op: string;
  readonly bound: ReadonlyMap<string, Argument>;
  /** Sizes of the first tensor, all known. */
  readonly shape: readonly number[];
}

/** Error kind and message that the system raises. */
type Fault = readonly [kind: "IndexError" | "RuntimeError" | "ValueError", message: string];

/**
 * Refuses number arguments that do not fit the first tensor, when its sizes are known: an index
 * beyond a dim, a permutation that repeats a dim, an illegal expansion. All frameworks refuse
 * these.
 */
export function requireValues(
  op: string,
  entry: LibraryEntry,
  bound: ReadonlyMap<string, Argument>,
  [first]: readonly (TracedTensor | PlainOperand)[],
  context: Context,
  span: Span,
): void {
  const check = fieldOf(checks, entry.name);
  if (check === undefined || first?.kind !== "tensor" || first.shapeStatus === "assumed") return;
  if (first.isUnknown === true || first.shape === undefined) return;
  const shape = first.shape.flatMap((size) => (typeof size === "number" ? [size] : []));
  if (shape.length < first.shape.length) return;
  const fault = check({ op, bound, shape });
  if (fault !== undefined) context.raise(fault[0], fault[1], span);
}

const checks: Readonly<Record<string, (call: Checked) => Fault | undefined>> = {
  select: selected,
  permute: permuted,
  expand: expanded,
  repeat: repeated,
  split: cut("split_size"),
  chunk: cut("chunks"),
  top_k: taken,
  flatten: flattened,
  pad: padded,
  dropout: dropped,
  slice: stepped,
  tril: twoDims,
  triu: twoDims,
  layer_norm: normalised,
  rms_norm: normalised,
  sum: once,
  mean: once,
  amax: once,
  amin: once,
};

function one({ bound }: Checked, name: string): number | undefined {
  return integerOf(bound.get(name)?.value);
}

/** Integer list of an argument; a single integer is a list of one. */
function row({ bound }: Checked, name: string): readonly number[] | undefined {
  const value = bound.get(name)?.value;
  const single = integerOf(value);
  if (single !== undefined) return [single];
  return value === undefined ? undefined : integersOf(value);
}

/** Dim counted from the start. */
function placed(dim: number, rank: number): number {
  return dim < 0 ? dim + rank : dim;
}

function selected(call: Checked): Fault | undefined {
  const { shape, op } = call;
  const index = one(call, "index");
  const dim = placed(one(call, "dim") ?? 0, shape.length);
  const size = shape[dim];
  if (shape.length === 0)
    return ["IndexError", `${op}(): a tensor without dims has no places to pick from`];
  if (index === undefined || size === undefined || (index < size && index >= -size))
    return undefined;
  return ["IndexError", `${op}(): index ${index} is out of range for dim ${dim} of size ${size}`];
}

function permuted(call: Checked): Fault | undefined {
  const { shape, op } = call;
  const dims = row(call, "dims")?.map((dim) => placed(dim, shape.length));
  if (dims === undefined) return undefined;
  if (dims.length !== shape.length)
    return [
      "RuntimeError",
      `${op}(): ${dims.length} dims are named, but the tensor has ${shape.length}`,
    ];
  const twice = dims.find((dim, at) => dims.indexOf(dim) < at);
  return twice === undefined ? undefined : ["RuntimeError", `${op}(): dim ${twice} is named twice`];
}

/** Requires that a norm's `normalized_shape` equals the last dims. */
function normalised(call: Checked): Fault | undefined {
  const { shape, op } = call;
  const sizes = row(call, "normalized_shape");
  if (sizes === undefined || sizes.length === 0) return undefined;
  const lasts = shape.slice(-sizes.length);
  if (lasts.length === sizes.length && sizes.every((size, at) => size === lasts[at]))
    return undefined;
  return [
    "RuntimeError",
    `${op}(): normalized_shape is [${sizes.join(", ")}], but the last dims are [${lasts.join(", ")}]`,
  ];
}

/** Requires that no dim is reduced twice. */
function once(call: Checked): Fault | undefined {
  const { shape, op } = call;
  const dims = row(call, "dim")?.map((dim) => placed(dim, shape.length)) ?? [];
  const twice = dims.find((dim, at) => dims.indexOf(dim) < at);
  return twice === undefined ? undefined : ["RuntimeError", `${op}(): dim ${twice} is named twice`];
}

function expanded(call: Checked): Fault | undefined {
  const { shape, op } = call;
  const sizes = row(call, "size");
  if (sizes === undefined || sizes.length < shape.length) return undefined;
  const lead = sizes.length - shape.length;
  for (const [at, size] of sizes.entries()) {
    const has = at < lead ? undefined : shape[at - lead];
    if (has === undefined ? size >= 0 : size === -1 || size === has || has === 1) continue;
    const message =
      has === undefined
        ? `${op}(): the new dim ${at} cannot have the size ${size}`
        : `${op}(): dim ${at - lead} has ${has} elements, which cannot be expanded to ${size}`;
    return ["RuntimeError", message];
  }
  return undefined;
}

function repeated(call: Checked): Fault | undefined {
  const { shape, op } = call;
  const times = row(call, "repeats");
  if (op !== "repeat" || times === undefined || times.length >= shape.length) return undefined;
  return ["RuntimeError", `${op}(): ${times.length} numbers cannot repeat ${shape.length} dims`];
}

/** Requires a split size or count of at least 1. */
function cut(name: string): (call: Checked) => Fault | undefined {
  return (call) => {
    const given = one(call, name);
    if (given === undefined || given > 0) return undefined;
    return ["RuntimeError", `${call.op}(): ${name} must be at least 1, but is ${given}`];
  };
}

function taken(call: Checked): Fault | undefined {
  const { shape, op } = call;
  const count = one(call, "k");
  const size = shape.at(one(call, "dim") ?? -1) ?? 1;
  if (count === undefined || (count <= size && count >= 0)) return undefined;
  return ["RuntimeError", `${op}(): k = ${count} is out of range for a dim of size ${size}`];
}

function flattened(call: Checked): Fault | undefined {
  const rank = Math.max(1, call.shape.length);
  const [start, end] = [one(call, "start_dim") ?? 0, one(call, "end_dim") ?? -1];
  if (placed(start, rank) <= placed(end, rank)) return undefined;
  return ["RuntimeError", `${call.op}(): start_dim ${start} comes behind end_dim ${end}`];
}

function padded(call: Checked): Fault | undefined {
  const { shape, op } = call;
  const sides = row(call, "pad");
  if (sides === undefined) return undefined;
  if (sides.length % 2 !== 0)
    return [
      "RuntimeError",
      `${op}(): the padding has ${sides.length} numbers, not two for each dim`,
    ];
  if (sides.length > 2 * shape.length)
    return [
      "RuntimeError",
      `${op}(): the padding is for ${sides.length / 2} dims, but the tensor has ${shape.length}`,
    ];
  for (let at = 0; at < sides.length / 2; at += 1) {
    const size = shape.at(-1 - at) ?? 0;
    const padding = (sides[2 * at] ?? 0) + (sides[2 * at + 1] ?? 0);
    if (size + padding < 0)
      return ["RuntimeError", `${op}(): a dim of ${size} elements is made shorter by ${-padding}`];
  }
  return undefined;
}

function dropped({ op, bound }: Checked): Fault | undefined {
  const share = numberOf(bound.get("p")?.value);
  if (share === undefined || (share >= 0 && share <= 1)) return undefined;
  return ["ValueError", `${op}(): a share of elements lies between 0 and 1, not at ${share}`];
}

function twoDims({ op, shape }: Checked): Fault | undefined {
  if (shape.length > 1) return undefined;
  return [
    "RuntimeError",
    `${op}(): a triangle is one of two dims, but the tensor has ${shape.length}`,
  ];
}

function stepped(call: Checked): Fault | undefined {
  const step = one(call, "step");
  if (step === undefined || step > 0) return undefined;
  const message = step === 0 ? "a slice goes on by at least 1" : "a slice of a tensor goes forward";
  return ["ValueError", `${message}, but its step is ${step}`];
}

/** Refuses an index with more keys than the tensor has dims. */
export function refuseExcess(
  count: number,
  shape: readonly unknown[] | undefined,
  context: Context,
  span: Span,
): void {
  if (shape === undefined || count <= shape.length) return;
  const message = `too many indices: ${count} for a tensor of ${shape.length} dims`;
  context.raise("IndexError", message, span);
}

/**
 * Refuses a tensor method call that the system refuses. Library code (negative spans) is not
 * checked.
 */
export function requireTaken(
  words: TensorCalls,
  self: Value,
  [name, args]: readonly [string, readonly Argument[]],
  { context, span }: At,
): void {
  if (span.from < 0 || words.isInBody) return;
  const refused = words.systems.refused(name, args, words, self);
  if (refused !== undefined) context.raise(...refused, span);
}

/** Tensor methods behind Python's augmented assignments. */
const inPlaceMethods: Readonly<Record<string, string>> = {
  ...{ "+": "add_", "-": "sub_", "*": "mul_", "/": "div_" },
};

/** Refuses `x op= value` when the in-place method is refused. */
export function requireUpdate(
  words: TensorCalls,
  self: Value,
  operator: string,
  value: Value,
  at: At,
): void {
  const method = fieldOf(inPlaceMethods, operator);
  if (method !== undefined) requireTaken(words, self, [method, [{ value, span: at.span }]], at);
}
