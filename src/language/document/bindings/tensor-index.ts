import type { Span } from "#core/diagnostics";
import type { Context, HostObject, Value } from "#language/python";
import type { TracedTensor } from "../trace/traced.ts";
import { type IndexRun, type PickedDim, picked, pickFrom } from "./advanced-index.ts";
import { assumedOf } from "./assumed.ts";
import { saySizeOfData } from "./branch-on-data.ts";
import { atExpert, setAtExpert } from "./expert-keys.ts";
import { requirePlaces } from "./index-checks.ts";
import { knownNumber } from "./known-numbers.ts";
import { callEntry } from "./library-calls.ts";
import { requireSet } from "./set-checks.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { refuseExcess, requireTaken } from "./value-checks.ts";
import { integer, integerOf } from "./values/values.ts";

/**
 * `x[i, a:b, ..., None]` as operators from left to right: an integer selects, a slice cuts, `None`
 * adds a dim, `...` skips dims. Tensors and lists of indices pick elements as in NumPy.
 */
export function indexTensor(
  words: TensorCalls,
  self: HostObject,
  key: Value,
  context: Context,
  span: Span,
): Value | undefined {
  const keys = (key.kind === "tuple" ? key.items : [key]).map((each) => withKnownEnds(words, each));
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
  const picks: PickedDim[] = [];
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

/**
 * Whether the annotation of a tensor's producer leaves it open, `?`: it may be a list or a dict.
 */
export function isOpaque(tensor: TracedTensor | undefined): boolean {
  const { annotations = [], outputs = [] } = tensor?.producer ?? {};
  const at = tensor === undefined ? -1 : outputs.indexOf(tensor);
  return annotations[0]?.text.split("->")[1]?.split(",")[at]?.trim() === "?";
}

/** Whether an index or a slice bound is an unknown value. */
function holdsUnknown(key: Value): boolean {
  return partsOf(key).some((part) => assumedOf(part) !== undefined);
}

/** Start, stop and step of a slice; the index itself otherwise. */
function partsOf(key: Value): readonly Value[] {
  return key.kind === "slice" ? [key.start, key.stop, key.step] : [key];
}

/** A slice whose tensor bounds are replaced by their numbers, where the text gives them. */
function withKnownEnds(words: TensorCalls, key: Value): Value {
  if (key.kind !== "slice") return key;
  const asNumber = (part: Value): Value => {
    const known = knownNumber(words.tensorOf(part));
    return known === undefined || !Number.isInteger(known) ? part : integer(known);
  };
  const [start, stop, step] = [key.start, key.stop, key.step].map(asNumber);
  return { ...key, start: start ?? key.start, stop: stop ?? key.stop, step: step ?? key.step };
}

/** Whether a slice bound is a tensor's value. */
function endsAtData(words: TensorCalls, key: Value): boolean {
  if (key.kind !== "slice") return false;
  return partsOf(key).some((part) => words.tensorOf(part) !== undefined);
}

/** Elements of a tensor of unknown shape, or at unknown indices: a tensor of unknown shape. */
function pickedUnknown(
  { words, context, span }: IndexRun,
  self: HostObject,
  keys: readonly Value[],
): Value {
  const tensors = [self, ...keys].filter((each) => words.tensorOf(each) !== undefined);
  for (const assumed of keys.flatMap(partsOf).map(assumedOf))
    if (assumed !== undefined) words.sayUnsaid(assumed, context, span);
  return words.unknownResult("getitem", tensors, context, span);
}

interface Step {
  readonly value: Value;
  readonly keepsDim: boolean;
}

/** Number of tensor dims that a key consumes. */
function dimsTaken(words: TensorCalls, key: Value): number {
  if (key.kind === "ellipsis" || key.kind === "none" || key.kind === "bool") return 0;
  return pickFrom(words, key)?.taken ?? 1;
}

function stepFor(run: IndexRun, value: Value, key: Value, dim: number): Step | undefined {
  const index = integerOf(key);
  if (index !== undefined) {
    const selected = callEntry(run.words, "select", [value], { dim, index }, run);
    run.words.experts.note(key, selected);
    return { value: selected, keepsDim: false };
  }
  if (key.kind === "none" || (key.kind === "bool" && key.value)) {
    return { value: callEntry(run.words, "unsqueeze", [value], { dim }, run), keepsDim: true };
  }
  if (key.kind === "slice") {
    const [start, stop, step] = [key.start, key.stop, key.step].map(integerOf);
    const isWhole = start === undefined && stop === undefined && step === undefined;
    const given = { dim, ...defined({ start, stop, step }) };
    return {
      value: isWhole ? value : callEntry(run.words, "slice", [value], given, run),
      keepsDim: true,
    };
  }
  return undefined;
}

/**
 * `x[…] = value`: the tensor with changed elements. For a parameter this is initialisation and
 * changes nothing.
 */
export function setElements(
  words: TensorCalls,
  self: HostObject,
  [key, value]: readonly [Value, Value],
  context: Context,
  span: Span,
): boolean {
  words.refuseNumbers("it sets elements of a tensor", context, span);
  const args = [key, value].map((each) => ({ value: each, span }));
  requireTaken(words, self, ["__setitem__", args], { context, span });
  const keys = key.kind === "tuple" ? key.items : [key];
  if (isUnknownValue(words, self)) return true;
  if (!words.isParameter(self) && setAtExpert(words, self, keys, value, { context, span }))
    return true;
  requireSet(words, self, keys, value, { context, span });
  if (words.isParameter(self)) return true;
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

function defined(
  values: Readonly<Record<string, number | undefined>>,
): Readonly<Record<string, number>> {
  const pairs = Object.entries(values).filter(
    (pair): pair is [string, number] => pair[1] !== undefined,
  );
  return Object.fromEntries(pairs);
}
