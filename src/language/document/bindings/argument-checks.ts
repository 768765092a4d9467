import { sum } from "#core/arithmetic";
import type { Fix, Span } from "#core/diagnostics";
import type { Attributes, LibraryEntry } from "#core/ir";
import { fieldOf } from "#core/records";
import {
  type Argument,
  type Context,
  isComplex,
  type SpanTree,
  type Value,
} from "#language/python";
import { writing } from "../fix.ts";
import type { PlainOperand, TracedTensor } from "../trace/traced.ts";
import { assumedOf } from "./assumed.ts";
import { requireValues } from "./value-checks.ts";
import { integerOf, integersOf, itemsOf } from "./values/values.ts";

const dimParameters = ["dim", "axis", "dim0", "dim1", "start_dim", "end_dim", "dims"];

/**
 * Rank of an operand of unknown shape, told by the dim arguments of the call: `transpose(2, 3)`
 * needs rank 4. `undefined` when rank 2, the usual assumption, is enough.
 */
export function rankByDims({ name: op }: LibraryEntry, attributes: Attributes): number | undefined {
  const dims = dimParameters.flatMap((name) => fieldOf(attributes, name) ?? []);
  const ranks = dims.map((dim) => (typeof dim === "number" ? (dim < 0 ? -dim : dim + 1) : 0));
  // `flatten(2)` alone would join only one dim, so the rank is one more.
  const joined = op === "flatten" && dims[0] === 2 && dims.length === 1 ? 1 : 0;
  const rank = Math.max(0, ...ranks) + joined - (adding.has(op) ? 1 : 0);
  return rank > 2 && Number.isInteger(rank) ? rank : undefined;
}

/** Operators that insert a new dim, so a dim argument may be one past the operand's last. */
const adding: ReadonlySet<string> = new Set(["unsqueeze", "expand_dims", "stack"]);

/**
 * Refuses a dim that is no integer, or is out of range for the first tensor of a call. The range is
 * checked only where all its sizes are known.
 */
export function requireDims(
  op: string,
  entry: LibraryEntry,
  bound: ReadonlyMap<string, Argument>,
  [first]: readonly (TracedTensor | PlainOperand)[],
  context: Context,
): void {
  for (const name of dimParameters) requireWholeDim(op, name, bound.get(name), context);
  if (first?.kind !== "tensor" || first.shapeStatus === "assumed") return;
  if (first.shape?.every((size) => typeof size === "number") !== true) return;
  const rank = first.shape.length + (adding.has(entry.name) ? 1 : 0);
  // A scalar takes dims 0 and -1, as a tensor of rank 1 does.
  const most = Math.max(1, rank);
  for (const name of dimParameters) {
    const argument = bound.get(name);
    const dims = argument === undefined ? undefined : askedBy(argument);
    const wrong = dims?.find((dim) => dim >= most || dim < -most);
    if (argument === undefined || wrong === undefined) continue;
    const of = first.name === undefined ? "its tensor" : `"${first.name.text}"`;
    const message = `dim ${wrong} of ${op}() is out of range: ${of} has ${first.shape.length} dims, ${-most} to ${most - 1}`;
    const nearest = wrong < 0 ? -most : most - 1;
    const isWritten = context.source.slice(argument.span.from, argument.span.to) === String(wrong);
    const fixes = isWritten ? [writing(argument.span, String(nearest))] : [];
    context.raise("IndexError", message, argument.span, { fixes });
  }
}

/** Operators whose other number arguments are checked as well (`value-checks.ts`). */
const checked: ReadonlySet<string> = new Set([
  ...["select", "permute", "expand", "repeat", "split", "chunk", "top_k", "flatten", "pad"],
  ...["dropout", "slice", "tril", "triu", "layer_norm", "rms_norm", "sum", "mean", "amax", "amin"],
]);

/** Refuses number arguments of a call that do not fit its first tensor. */
export function requireNumbers(
  op: string,
  entry: LibraryEntry,
  bound: ReadonlyMap<string, Argument>,
  inputs: readonly (TracedTensor | PlainOperand)[],
  context: Context,
  span: Span,
): void {
  requireExpansion(entry, bound, inputs, context);
  requireLengths(op, entry, bound, inputs, context);
  if (checked.has(entry.name)) requireValues(op, entry, bound, inputs, context, span);
}

/** Refuses to expand a tensor to fewer dims than it has. */
function requireExpansion(
  entry: LibraryEntry,
  bound: ReadonlyMap<string, Argument>,
  [first]: readonly (TracedTensor | PlainOperand)[],
  context: Context,
): void {
  const argument = entry.name === "expand" ? bound.get("size") : undefined;
  const sizes = argument && askedBy(argument);
  if (argument === undefined || sizes === undefined || first?.kind !== "tensor") return;
  const rank = first.shapeStatus === "assumed" ? 0 : (first.shape?.length ?? 0);
  if (sizes.length >= rank) return;
  const message = `expand(): the number of sizes provided (${sizes.length}) must be at least the ${rank} dims of the tensor`;
  context.raise("RuntimeError", message, argument.span);
}

/** Refuses a float as a dim, alone or in a list. */
function requireWholeDim(
  op: string,
  name: string,
  argument: Argument | undefined,
  context: Context,
): void {
  if (argument === undefined) return;
  const isFloat = [argument.value, ...(itemsOf(argument.value) ?? [])].some(
    ({ kind }) => kind === "float",
  );
  if (!isFloat) return;
  const message = `${op}(): "${name}" must be an integer, not ${context.text(argument.value)}`;
  context.raise("TypeError", message, argument.span);
}

function askedBy({ value }: Argument): readonly number[] | undefined {
  const one = integerOf(value);
  return one === undefined ? integersOf(value) : [one];
}

/** Refuses split lengths that do not add up to the size of the dim, where that size is known. */
function requireLengths(
  op: string,
  entry: LibraryEntry,
  bound: ReadonlyMap<string, Argument>,
  [first]: readonly (TracedTensor | PlainOperand)[],
  context: Context,
): void {
  const argument = entry.name === "split" ? bound.get("split_size") : undefined;
  const lengths = argument && integersOf(argument.value);
  if (argument === undefined || lengths === undefined || first?.kind !== "tensor") return;
  const dim = integerOf(bound.get("dim")?.value ?? bound.get("axis")?.value) ?? 0;
  const size = first.shapeStatus === "assumed" ? undefined : first.shape?.at(dim);
  const total = sum(lengths);
  if (typeof size !== "number" || total === size) return;
  const of = first.name === undefined ? "its tensor" : `"${first.name.text}"`;
  const message = `the lengths ${lengths.join(" + ")} = ${total} of ${op}() are not the ${size} of dim ${dim} of ${of}`;
  const [last, wanted] = [argument.tree?.items.at(-1), size - total + (lengths.at(-1) ?? 0)];
  const isWritable = last?.kind === "literal" && wanted >= 0;
  const fixes = isWritable ? [writing(last.span, String(wanted))] : [];
  context.raise("RuntimeError", message, argument.span, { fixes });
}

/** Value kinds that never are a tensor operand, with Python's type name. */
const otherKinds: ReadonlyMap<Value["kind"], string> = new Map([
  ["function", "function"],
  ["host-function", "builtin_function_or_method"],
  ["method", "method"],
  ["class", "type"],
  ["module", "module"],
  ["dict", "dict"],
  ["set", "set"],
  ["slice", "slice"],
  ["str", "str"],
]);

/**
 * Value kinds that are an operand only where the library entry takes numbers, with Python's type
 * name.
 */
const numberKinds: ReadonlyMap<Value["kind"], string> = new Map([
  ["int", "int"],
  ["float", "float"],
  ["bool", "bool"],
]);

/**
 * Refuses a call of a library operator with wrong arguments in place of tensors: functions, texts,
 * meshes and the like anywhere, numbers where the entry takes none, None for a required tensor, and
 * any call in which no operand is a tensor. Raises `TypeError`.
 */
export function requireTensors(
  op: string,
  entry: LibraryEntry,
  values: readonly Value[],
  operands: readonly (TracedTensor | PlainOperand)[],
  context: Context,
  span: Span,
): void {
  if (operands.length === 0 || values.some(({ kind }) => kind === "unknown")) return;
  const isOther = (value: Value, index: number) =>
    operands[index]?.kind === "plain" && otherThanTensor(entry, value, index);
  const wrong = values.findIndex(isOther);
  const at = wrong < 0 && operands.every(({ kind }) => kind === "plain") ? 0 : wrong;
  const value = values[at];
  if (value === undefined) return;
  const { parameters } = entry;
  const name = parameters[entry.variadic ? 0 : at] ?? parameters.at(-1) ?? "x";
  const message = `${op}(): argument "${name}" must be a tensor, not ${kindOf(value)}`;
  context.raise("TypeError", message, span);
}

/** Whether a plain value at operand position `at` cannot be meant as a tensor. */
function otherThanTensor(entry: LibraryEntry, value: Value, at: number): boolean {
  // None is allowed for an optional operand.
  if (value.kind === "none") return at < entry.required && !entry.variadic;
  if (value.kind === "host" && !isComplex(value)) return assumedOf(value) === undefined;
  const isNumber = value.kind === "host" || numberKinds.has(value.kind);
  if (!isNumber) return otherKinds.has(value.kind);
  return entry.mayBeNumbers?.includes(entry.parameters[at] ?? "") !== true;
}

function kindOf(value: Value): string {
  if (value.kind === "host") return value.type.name;
  if (value.kind === "none") return "NoneType";
  return otherKinds.get(value.kind) ?? numberKinds.get(value.kind) ?? value.kind;
}

/** Operator attributes that are strings; all others are numbers or lists of numbers. */
const ofTexts: ReadonlySet<string> = new Set(["approximate", "dtype", "equation", "reduction"]);

/**
 * Refuses a string for an attribute that is a number (a size, dim or bound). Raises `TypeError`.
 */
export function requireSettings(
  op: string,
  entry: LibraryEntry,
  bound: ReadonlyMap<string, Argument>,
  context: Context,
): void {
  const tensors = new Set(entry.parameters.slice(0, entry.tensors));
  for (const [name, { value, span }] of bound) {
    if (tensors.has(name) || ofTexts.has(name) || value.kind !== "str") continue;
    context.raise("TypeError", `${op}(): argument "${name}" must be a number, not str`, span);
  }
}

interface Placed {
  readonly value: Value;
  readonly span: Span;
}

/**
 * The fix that writes floats as integers: `4.0` as `4`, `8 / 2` as `8 // 2`. Empty when one of them
 * has no integer form.
 */
export function asWhole(numbers: readonly Placed[], source: string): readonly Fix[] {
  const floats = numbers.filter(({ value }) => value.kind === "float");
  const edits = floats.map(({ value, span: { from, to } }) => {
    return { from, to, text: wholeText(value, source.slice(from, to)) };
  });
  const texts = edits.flatMap(({ text }) => (text === undefined ? [] : [text]));
  if (texts.length === 0 || texts.length < edits.length) return [];
  const written = edits.map(({ from, to, text = "" }) => ({ from, to, text }));
  return [{ title: `Write ${texts.join(", ")}`, edits: written }];
}

/** Items of a tuple or list with their spans; items without a known span are left out. */
export function placedItems(value: Value, tree: SpanTree | undefined): readonly Placed[] {
  return (itemsOf(value) ?? []).flatMap((item, index) => {
    const span = tree?.items[index]?.span;
    return span === undefined ? [] : [{ value: item, span }];
  });
}

/** Refuses a float size or dim where an operator takes a row of integers. */
export function requireWhole(
  op: string,
  entry: LibraryEntry,
  args: readonly Argument[],
  context: Context,
): void {
  if (entry.gathers === undefined) return;
  const row = args.filter(({ name }) => name === undefined);
  const placed = row.flatMap((each) => [each, ...placedItems(each.value, each.tree)]);
  const wrong = placed.find(({ value }) => value.kind === "float");
  if (wrong?.value.kind !== "float") return;
  const message = `${op}() takes integers, not the float ${context.text(wrong.value)}`;
  context.raise("TypeError", message, wrong.span, { fixes: asWhole(placed, context.source) });
}

function wholeText(value: Value, text: string): string | undefined {
  if (value.kind !== "float") return undefined;
  if (/^\d+\.0*$/.test(text)) return String(value.value);
  return /[^/]\/[^/]/.test(text) && !/['"#]/.test(text)
    ? text.replaceAll(/(?<!\/)\/(?!\/)/g, "//")
    : undefined;
}

/** Least legal value of the arguments of sliding windows (convolutions, pooling). */
const leastOfWindows: Readonly<Record<string, number>> = {
  ...{ stride: 1, dilation: 1, kernel_size: 1, groups: 1, scale_factor: 1 },
  padding: 0,
};

export function requireWindows(
  op: string,
  bound: ReadonlyMap<string, Argument>,
  context: Context,
): void {
  for (const [name, least] of Object.entries(leastOfWindows)) {
    const argument = bound.get(name);
    if (argument === undefined) continue;
    const given = integersOf(argument.value) ?? [integerOf(argument.value) ?? least];
    const wrong = given.find((value) => value < least);
    if (wrong === undefined) continue;
    const message = `${op}() takes "${name}" from ${least} on, not ${wrong}`;
    context.raise("RuntimeError", message, argument.span);
  }
}
