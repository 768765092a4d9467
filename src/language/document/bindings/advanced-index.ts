// Advanced indexing (numpy's term): elements picked by tensors or lists of indices.

import { library } from "#core/ir";
import type { Value } from "#language/python";
import { provisional } from "../trace/size.ts";
import { isBoolean } from "./boolean-tensors.ts";
import type { At } from "./call-place.ts";
import { knownList } from "./known-numbers.ts";
import { callEntry } from "./library-calls.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { integer, itemsOf } from "./values/values.ts";

/** Call position of an index, with the calls of tensor operators that it may make. */
export interface IndexRun extends At {
  readonly words: TensorCalls;
}

/** Indices along one dim: an index tensor, or a list of integers with its shape. */
export interface PickedDim {
  readonly dim: number;
  readonly tensor?: Value;
  /** The list, when the indices are no tensor. */
  readonly list?: Value;
  readonly shape: readonly number[];
  /** Number of flags in a boolean list whose true items are the indices. */
  readonly flags?: number;
  readonly isMask: boolean;
  readonly taken: number;
}

export function pickFrom(words: TensorCalls, key: Value): Omit<PickedDim, "dim"> | undefined {
  const flags = flagsIn(words, key);
  if (flags !== undefined) {
    const items = flags.flatMap((each, at) => (each ? [integer(at)] : []));
    const list: Value = { kind: "list", items };
    return { list, shape: [items.length], flags: flags.length, isMask: false, taken: 1 };
  }
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

/** Boolean mask along one dim whose values are known in the text; `undefined` for anything else. */
function flagsIn(words: TensorCalls, key: Value): readonly boolean[] | undefined {
  const tensor = words.tensorOf(key);
  if (tensor !== undefined && (tensor.dtype !== "bool" || tensor.shape?.length !== 1))
    return undefined;
  const items = itemsOf(tensor === undefined ? key : knownList(tensor)) ?? [];
  const flags = items.flatMap((each) => (each.kind === "bool" ? [each.value] : []));
  return flags.length > 0 && flags.length === items.length ? flags : undefined;
}

function shapeOfList(value: Value): readonly number[] {
  const items = itemsOf(value);
  const [first] = items ?? [];
  return items === undefined ? [] : [items.length, ...(first ? shapeOfList(first) : [])];
}

/**
 * Elements picked by index tensors or masks: an embedding or `take` for one index tensor,
 * `masked_select` for a mask, otherwise one opaque operator.
 */
export function picked(run: IndexRun, value: Value, picks: readonly PickedDim[]): Value {
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

/**
 * `x[arange(n), places]`: element `places[i]` of each row i, as a gather along dim 1. `undefined`
 * for other indices.
 */
function pickedOfRows(run: IndexRun, value: Value, picks: readonly PickedDim[]): Value | undefined {
  const { words } = run;
  const [rows, places] = picks;
  const shape = words.tensorOf(value)?.shape?.map(provisional) ?? [];
  const { constant } = words.tensorOf(rows?.tensor) ?? {};
  const isOfRows =
    picks.length === 2 && rows?.dim === 0 && places?.dim === 1 && places.tensor !== undefined;
  const isEachRow = constant?.kind === "row" && constant.start === 0 && constant.step === 1;
  const isOne = [rows, places].every((each) => each?.shape.join() === String(shape[0]));
  if (!isOfRows || !isEachRow || !isOne) return undefined;
  let index: Value = places.tensor ?? value;
  for (let dim = 1; dim < shape.length; dim += 1)
    index = callEntry(words, "unsqueeze", [index], { dim }, run);
  if (shape.length > 2)
    index = callEntry(words, "expand", [index], { size: shape.with(1, 1) }, run);
  const picked = callEntry(words, "gather", [value, index], { dim: 1 }, run);
  return callEntry(words, "select", [picked], { dim: 1, index: 0 }, run);
}

/** Slices along one dim: `embedding` for rows of a matrix, else `take`. */
function taken(
  { words, context, span }: IndexRun,
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
 * Annotation of a pick: indexed dims are kept whole (`^`), and the broadcast shape of the indices
 * replaces them as in numpy. The other dims may be split.
 */
function pickAnnotation({ words }: IndexRun, value: Value, picks: readonly PickedDim[]): string {
  const sizes = (words.tensorOf(value)?.shape ?? []).map(provisional);
  const names = sizes.map((_, dim) => `a${dim}`);
  const dims = new Set(picks.map(({ dim }) => dim));
  const source = names.map((name, dim) => (dims.has(dim) ? `${name}^` : name)).join(" ");
  const rank = Math.max(...picks.map(({ shape }) => shape.length));
  const joint = Array.from({ length: rank }, (_, at) => {
    const given = picks.map(({ shape }) => shape[at - rank + shape.length] ?? 1);
    return Math.max(...given, 0) === 1 ? 1 : (given.find((size) => size !== 1) ?? 1);
  });
  // A list of integers is not an operand: its values are known only to the call, so its dims have
  // fixed sizes.
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
