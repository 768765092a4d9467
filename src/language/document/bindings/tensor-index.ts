import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import type { Argument, Context, HostObject, Value } from "#language/python";
import { provisional } from "../trace/size.ts";
import type { TracedTensor } from "../trace/traced.ts";
import { assumedOf } from "./assumed.ts";
import { isBoolean } from "./boolean-tensors.ts";
import { saySizeOfData } from "./branch-on-data.ts";
import { atExpert, setAtExpert } from "./expert-keys.ts";
import { requirePlaces } from "./index-checks.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { refuseExcess } from "./value-checks.ts";
import { integer, integerOf, itemsOf } from "./values/values.ts";

/**
 * `x[i, a:b, ..., None]` as the operators that it stands for, from left to right: an integer
 * selects, a range slices, `None` adds a dim, `...` skips dims; tensors and lists of indices pick
 * elements as numpy has it.
 */
export function indexTensor(
  words: TensorCalls,
  self: HostObject,
  key: Value,
  context: Context,
  span: Span,
): Value | undefined {
  const keys = key.kind === "tuple" ? key.items : [key];
  const ofExpert = atExpert(words, self, keys, { context, span });
  if (ofExpert !== undefined) return ofExpert;
  const row = words.dataRow(self, keys, context, span);
  if (row !== undefined) return row;
  const isOpen = isOpaque(words.tensorOf(self));
  if (isOpen || [self, ...keys].some((each) => isUnknownValue(words, each) || holdsUnknown(each)))
    return pickedUnknown({ words, context, span }, self, keys);
  if (keys.some((each) => endsAtData(words, each))) {
    saySizeOfData(context, span);
    return pickedUnknown({ words, context, span }, self, keys);
  }
  const rank = words.tensorOf(self)?.shape?.length ?? keys.length;
  const skipped = keys.reduce((sum, each) => sum + dimsTaken(words, each), 0);
  const { shape, shapeStatus } = words.tensorOf(self) ?? {};
  if (shapeStatus !== "assumed") refuseExcess(skipped, shape, context, span);
  const run = { words, context, span };
  let value: Value = self;
  let dim = 0;
  const picks: Pick[] = [];
  for (const each of keys) {
    if (each.kind === "ellipsis") {
      dim += Math.max(0, rank - skipped);
      continue;
    }
    const picked = pickFrom(words, each);
    if (picked !== undefined) {
      picks.push({ dim, ...picked });
      dim += 1;
      continue;
    }
    const step = stepFor(run, value, each, dim);
    if (step === undefined) {
      return context.raise(
        "IndexError",
        "a tensor is indexed by integers, ranges, tensors, ... and None",
        span,
      );
    }
    value = step.value;
    if (step.keepsDim) dim += 1;
  }
  if (picks.length > 0) requirePlaces(words, value, picks, run);
  return picks.length === 0 ? value : picked(run, value, picks);
}

/** Whether a value is a tensor without a known shape. */
export function isUnknownValue(words: TensorCalls, value: Value): boolean {
  return words.tensorOf(value)?.isUnknown === true;
}

/** Whether an annotation says nothing of a result, `?`: it may be a list, or a dict. */
export function isOpaque(tensor: TracedTensor | undefined): boolean {
  const { annotations = [], outputs = [] } = tensor?.producer ?? {};
  const at = tensor === undefined ? -1 : outputs.indexOf(tensor);
  return annotations[0]?.text.split("->")[1]?.split(",")[at]?.trim() === "?";
}

/** Whether a place or a range of places is a fact of a tensor without a known shape. */
function holdsUnknown(key: Value): boolean {
  return partsOf(key).some((part) => assumedOf(part) !== undefined);
}

/** The ends and the step of a range of places, or a place. */
function partsOf(key: Value): readonly Value[] {
  return key.kind === "slice" ? [key.start, key.stop, key.step] : [key];
}

/** Whether a range of places begins or ends at a value of a tensor. */
function endsAtData(words: TensorCalls, key: Value): boolean {
  if (key.kind !== "slice") return false;
  return partsOf(key).some((part) => words.tensorOf(part) !== undefined);
}

/** Elements of a tensor without a known shape, or at places that follow from one. */
function pickedUnknown(
  { words, context, span }: Run,
  self: HostObject,
  keys: readonly Value[],
): Value {
  const tensors = [self, ...keys].filter((each) => words.tensorOf(each) !== undefined);
  for (const assumed of keys.flatMap(partsOf).map(assumedOf))
    if (assumed !== undefined) words.sayUnsaid(assumed, context, span);
  return words.unknownResult("getitem", tensors, context, span);
}

export interface Run {
  readonly words: TensorCalls;
  readonly context: Context;
  readonly span: Span;
}

interface Step {
  readonly value: Value;
  readonly keepsDim: boolean;
}

/** Indices along one dim: a tensor of them, or a list of numbers with its shape. */
interface Pick {
  readonly dim: number;
  readonly tensor?: Value;
  /** The list, where it is none. */
  readonly list?: Value;
  readonly shape: readonly number[];
  readonly isMask: boolean;
  readonly taken: number;
}

/** How many dims of the tensor a key stands for. */
function dimsTaken(words: TensorCalls, key: Value): number {
  if (key.kind === "ellipsis" || key.kind === "none" || key.kind === "bool") return 0;
  return pickFrom(words, key)?.taken ?? 1;
}

function pickFrom(words: TensorCalls, key: Value): Omit<Pick, "dim"> | undefined {
  const tensor = words.tensorOf(key);
  if (tensor !== undefined) {
    const shape = (tensor.shape ?? []).map(provisional);
    const isMask = isBoolean(tensor);
    if (words.isScalar(key)) return { tensor: key, shape: [], isMask: false, taken: 1 };
    return { tensor: key, shape, isMask, taken: isMask ? Math.max(1, shape.length) : 1 };
  }
  if (key.kind !== "list" && key.kind !== "tuple") return undefined;
  return { list: key, shape: shapeOfList(key), isMask: false, taken: 1 };
}

function shapeOfList(value: Value): readonly number[] {
  const items = itemsOf(value);
  const [first] = items ?? [];
  return items === undefined ? [] : [items.length, ...(first ? shapeOfList(first) : [])];
}

/** The elements that tensors of indices pick: a gather of rows, or one operator for the rest. */
function picked(run: Run, value: Value, picks: readonly Pick[]): Value {
  const { words, context, span } = run;
  const [first] = picks;
  const mask = picks.find(({ isMask }) => isMask);
  if (mask !== undefined) {
    words.experts.leaveRoundOf(words.tensorOf(mask.tensor));
    words.refuse("it picks elements by their values", context, span);
    const operands = [value, ...(mask.tensor ? [mask.tensor] : [])];
    return words.function("masked_select", operands, context, span);
  }
  const isOne = first?.shape.length === 0;
  if (picks.length === 1 && first?.tensor && !isOne)
    return taken(run, value, { dim: first.dim, tensor: first.tensor });
  const ofRows = pickedOfRows(run, value, picks);
  if (ofRows !== undefined) return ofRows;
  const tensors = picks.flatMap(({ tensor }) => (tensor === undefined ? [] : [tensor]));
  return words.shaped(
    "getitem",
    pickAnnotation(run, value, picks),
    [value, ...tensors],
    context,
    span,
  );
}

/** `x[arange(n), places]`: of each row the element at its place, a gather along the second dim. */
function pickedOfRows(run: Run, value: Value, picks: readonly Pick[]): Value | undefined {
  const { words, context, span } = run;
  const [rows, places] = picks;
  const shape = words.tensorOf(value)?.shape?.map(provisional) ?? [];
  const { constant } = words.tensorOf(rows?.tensor) ?? {};
  const isOfRows =
    picks.length === 2 && rows?.dim === 0 && places?.dim === 1 && places.tensor !== undefined;
  const isEachRow = constant?.kind === "row" && constant.start === 0 && constant.step === 1;
  const isOne = [rows, places].every((each) => each?.shape.join() === String(shape[0]));
  const gather = library.get("gather");
  const expand = library.get("expand");
  if (!isOfRows || !isEachRow || !isOne || gather === undefined || expand === undefined)
    return undefined;
  let index: Value = places.tensor ?? value;
  for (let dim = 1; dim < shape.length; dim += 1) index = apply(run, "unsqueeze", index, { dim });
  const size: Value = { kind: "list", items: shape.with(1, 1).map((each) => integer(each)) };
  const call = (entry: typeof gather, args: readonly Argument[]) =>
    words.call(entry, { op: entry.name, reducesInside: false }, args, context, span);
  if (shape.length > 2)
    index = call(expand, [
      { value: index, span },
      { name: "size", value: size, span },
    ]);
  const picked = call(gather, [
    { value, span },
    { value: index, span },
    { name: "dim", value: integer(1), span },
  ]);
  return apply(run, "select", picked, { dim: 1, index: 0 });
}

/** Slices along one dim: rows of a matrix as an embedding looks them up, else as `take` does. */
function taken(
  { words, context, span }: Run,
  value: Value,
  { dim, tensor }: { readonly dim: number; readonly tensor: Value },
): Value {
  const isLookup = dim === 0 && words.tensorOf(value)?.shape?.length === 2;
  const entry = library.get(isLookup ? "embedding" : "take");
  if (entry === undefined) return value;
  const operands = (isLookup ? [tensor, value] : [value, tensor]).map((each) => ({
    value: each,
    span,
  }));
  const along = isLookup ? [] : [{ name: "dim", value: integer(dim), span }];
  const style = { op: "getitem", stem: "gather", reducesInside: false };
  return words.call(entry, style, [...operands, ...along], context, span);
}

/**
 * Dims that are picked from stay whole; the joint shape of the indices takes their place (numpy),
 * and all along it each element is picked by itself.
 */
function pickAnnotation({ words }: Run, value: Value, picks: readonly Pick[]): string {
  const sizes = (words.tensorOf(value)?.shape ?? []).map(provisional);
  const names = sizes.map((_, dim) => `a${dim}`);
  const dims = new Set(picks.map(({ dim }) => dim));
  const source = names.map((name, dim) => (dims.has(dim) ? `${name}^` : name)).join(" ");
  const rank = Math.max(...picks.map(({ shape }) => shape.length));
  const joint = Array.from({ length: rank }, (_, at) => {
    const given = picks.map(({ shape }) => shape[at - rank + shape.length] ?? 1);
    return Math.max(...given, 0) === 1 ? 1 : (given.find((size) => size !== 1) ?? 1);
  });
  // A list of numbers is no operand: along its dims the places are known to nobody but the call.
  const isListed = picks.some((pick) => pick.tensor === undefined);
  const jointNames = joint.map((size, at) => (isListed || size === 1 ? String(size) : `i${at}`));
  const indices = picks.flatMap(({ tensor, shape }) => {
    if (tensor === undefined) return [];
    const own = jointNames.slice(rank - shape.length);
    return [shape.map((size, at) => (size === 1 ? "1" : (own[at] ?? "1"))).join(" ") || "1"];
  });
  const sorted = [...dims].sort((a, b) => a - b);
  const isTogether = sorted.every((dim, at) => at === 0 || dim === (sorted[at - 1] ?? 0) + 1);
  const before = isTogether ? (sorted[0] ?? 0) : 0;
  const free = names.filter((_, dim) => !dims.has(dim));
  const result = [...free.slice(0, before), ...jointNames, ...free.slice(before)];
  return `${[source, ...indices].join(", ")} -> ${result.join(" ") || "()"}`;
}

function stepFor(run: Run, value: Value, key: Value, dim: number): Step | undefined {
  const index = integerOf(key);
  if (index !== undefined) {
    const selected = apply(run, "select", value, { dim, index });
    run.words.experts.note(key, selected);
    return { value: selected, keepsDim: false };
  }
  if (key.kind === "none" || (key.kind === "bool" && key.value)) {
    return { value: apply(run, "unsqueeze", value, { dim }), keepsDim: true };
  }
  if (key.kind === "slice") {
    const [start, stop, step] = [key.start, key.stop, key.step].map(integerOf);
    const isWhole = start === undefined && stop === undefined && step === undefined;
    const given = { dim, ...defined({ start, stop, step }) };
    return { value: isWhole ? value : apply(run, "slice", value, given), keepsDim: true };
  }
  return undefined;
}

/** `x[…] = value`: the tensor with other elements; a parameter keeps what initialises it. */
export function setElements(
  words: TensorCalls,
  self: HostObject,
  [key, value]: readonly [Value, Value],
  context: Context,
  span: Span,
): boolean {
  words.refuseNumbers("it sets elements of a tensor", context, span);
  if (words.isParameter(self)) return true;
  const keys = key.kind === "tuple" ? key.items : [key];
  if (isUnknownValue(words, self)) return true;
  if (setAtExpert(words, self, keys, value, { context, span })) return true;
  const others = [value, ...keys].filter((each) => words.tensorOf(each) !== undefined);
  const operands = [self as Value, ...others];
  const texts = operands.map((each, at) =>
    isUnknownValue(words, each)
      ? "?"
      : (words.tensorOf(each)?.shape ?? []).map((_, dim) => `a${at}_${dim}^`).join(" "),
  );
  const result = words.shaped(
    "setitem",
    `${texts.join(", ")} -> ${texts[0]}`,
    operands,
    context,
    span,
    "known",
  );
  words.replace(self, result);
  return true;
}

export function apply(
  { words, context, span }: Run,
  name: string,
  value: Value,
  attributes: Readonly<Record<string, number>>,
): Value {
  const entry = library.get(name);
  if (entry === undefined) return value;
  const given = Object.entries(attributes).map(
    ([key, number]): Argument => ({ name: key, value: integer(number), span }),
  );
  const style = { op: name, reducesInside: false };
  return words.call(entry, style, [{ value, span }, ...given], context, span);
}

function defined(
  values: Readonly<Record<string, number | undefined>>,
): Readonly<Record<string, number>> {
  const pairs = Object.entries(values).filter(
    (pair): pair is [string, number] => pair[1] !== undefined,
  );
  return Object.fromEntries(pairs);
}
