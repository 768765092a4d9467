// Indexing by an expert's index or by the positions of its tokens: `w[e]`, `x[places]`,
// `scores[mask, e]`, `choice == e`.

import type { Span } from "#core/diagnostics";
import type { Context, HostObject, Value } from "#language/python";
import { knownSize } from "../trace/size.ts";
import type { At } from "./call-place.ts";
import { productOfChosen } from "./expert-gathers.ts";
import { type ExpertIndex, isExpertIndex } from "./expert-index.ts";
import { callEntry } from "./library-calls.ts";
import { isPlaceRow, type PlaceRow } from "./place-row.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { integerOf } from "./values/values.ts";

/**
 * A tensor indexed by the expert index of the round, or by the positions of its tokens. `undefined`
 * when no key is one of these.
 */
export function atExpert(
  words: TensorCalls,
  self: HostObject,
  keys: readonly Value[],
  at: At,
): Value | undefined {
  for (const key of keys) if (key.kind === "slice") leaveAtSlice(words, key);
  if (!words.experts.areGrouped) return undefined;
  const [only] = keys;
  const slice = only && words.experts.parts.sliceOfRound(self, only, at);
  if (slice !== undefined) {
    const rest = keys.slice(1);
    return rest.every(isWhole) ? slice : indexed(slice, [whole, ...rest], at);
  }
  const expert = keys.findIndex(isExpertIndex);
  if (expert >= 0) {
    const picked = ofExpert(words, self, keys, expert, at);
    const index = keys[expert];
    // A one-item row of expert indices pairs with token positions beside it; otherwise it keeps a
    // dim of size 1.
    const isBesideRows = keys.some(
      (each, place) => place !== expert && isAtPlaces(words, each, at),
    );
    const isRow = isExpertIndex(index) && index.data.isRow && !isBesideRows;
    const rest = keys.flatMap((each, place) =>
      place !== expert ? [each] : isRow ? [{ kind: "none" } as const] : [],
    );
    return rest.every(isWhole) ? picked : indexed(picked, rest, at);
  }
  const rows = keys.map((key) => words.experts.rows.asRows(key, at));
  const first = rows.findIndex((each) => each !== undefined);
  if (first < 0) return undefined;
  return atPlaces(words, self, keys, rows, at);
}

function isAtPlaces(words: TensorCalls, key: Value, at: At): boolean {
  return isPlaceRow(key) || words.experts.rows.asRows(key, at) !== undefined;
}

/**
 * Leaves the first round when a slice bound depends on the loop's number of tokens, so that the
 * loop runs as one round for all experts.
 */
function leaveAtSlice(
  words: TensorCalls,
  { start, stop }: Extract<Value, { kind: "slice" }>,
): void {
  for (const each of [start, stop]) words.experts.leaveRoundOf(words.tensorOf(each));
}

/** The round's slice of a tensor, along the dim that the expert index picks from. */
function ofExpert(
  words: TensorCalls,
  self: HostObject,
  keys: readonly Value[],
  expert: number,
  at: At,
): Value {
  const { context, span } = at;
  const tensor = words.tensorOf(self);
  const shape = tensor?.shape ?? [];
  const before = keys.slice(0, expert);
  const dim = before.reduce((sum, key) => sum + dimsOf(words, key, at), 0);
  const index = keys[expert];
  const { rounds } = words.experts;
  const size = shape[dim] === undefined ? undefined : knownSize(shape[dim] ?? 1);
  const of = isExpertIndex(index) ? index.data : { start: 0, experts: Number.POSITIVE_INFINITY };
  const isFit = size !== undefined && of.start >= 0 && size >= of.start + of.experts;
  if (tensor === undefined || !isFit || rounds?.has(tensor) === true)
    return context.raise(
      "NotImplementedError",
      "the index of an expert is read along a dim that has a place for each expert",
      span,
    );
  const order = [dim, ...shape.map((_, each) => each).filter((each) => each !== dim)];
  const moved = dim === 0 ? self : callEntry(words, "permute", [self], { dims: order }, at);
  return inRoundOf(words, moved, of, at) ?? self;
}

/**
 * The round's slice of a tensor whose leading dim holds the experts; a part of that dim is cut out
 * first.
 */
function inRoundOf(
  words: TensorCalls,
  front: Value,
  { start, experts }: { readonly start: number; readonly experts: number },
  at: At,
): HostObject | undefined {
  const size = words.tensorOf(front)?.shape?.[0];
  const isAll = start === 0 && size !== undefined && knownSize(size) === experts;
  const attributes = { dim: 0, start, stop: start + experts };
  const tensor = words.tensorOf(isAll ? front : callEntry(words, "slice", [front], attributes, at));
  return tensor && words.experts.inRound(tensor);
}

function dimsOf(words: TensorCalls, key: Value, at: At): number {
  if (key.kind === "none" || key.kind === "ellipsis") return 0;
  const rows = isPlaceRow(key) ? undefined : words.experts.rows.asRows(key, at);
  return rows?.length ?? 1;
}

function indexed(value: Value, keys: readonly Value[], { context, span }: At): Value {
  const method = context.getAttribute(value, "__index_with__", span);
  return context.call(method, [{ value: { kind: "tuple", items: keys }, span }], span);
}

/** `x[None, places, :]`: positions in adjacent keys, beside full slices and new dims. */
function atPlaces(
  words: TensorCalls,
  self: HostObject,
  keys: readonly Value[],
  rows: readonly (readonly PlaceRow[] | undefined)[],
  at: At,
): Value {
  const rank = words.tensorOf(self)?.shape?.length ?? 0;
  const taken = keys.reduce(
    (sum, key, place) => sum + (rows[place]?.length ?? dimsOf(words, key, at)),
    0,
  );
  const picked: PlaceRow[] = [];
  const rest: Value[] = [];
  let [dim, first] = [0, -1];
  for (const [place, key] of keys.entries()) {
    const own = rows[place];
    if (own !== undefined) {
      if (first < 0) {
        first = dim;
        rest.push(whole);
      }
      picked.push(...own);
    } else rest.push(key);
    dim += own?.length ?? (key.kind === "ellipsis" ? rank - taken : dimsOf(words, key, at));
  }
  const made = words.experts.rows.take(self, picked, first, at);
  return rest.every(isWhole) ? made : indexed(made, rest, at);
}

const whole: Value = {
  ...{ kind: "slice", start: { kind: "none" }, stop: { kind: "none" }, step: { kind: "none" } },
};

function isWhole(key: Value): boolean {
  if (key.kind === "ellipsis") return true;
  return (
    key.kind === "slice" && [key.start, key.stop, key.step].every(({ kind }) => kind === "none")
  );
}

/** `y[places] = value`. False unless all keys are positions or full slices. */
export function setAtExpert(
  words: TensorCalls,
  self: HostObject,
  keys: readonly Value[],
  value: Value,
  at: At,
): boolean {
  if (!words.experts.areGrouped) return false;
  const rows = keys.flatMap((key) => (isWhole(key) ? [] : [words.experts.rows.asRows(key, at)]));
  if (rows.length === 0 || rows.some((each) => each === undefined)) return false;
  const made = words.experts.rows.set(
    self,
    rows.flatMap((each) => each ?? []),
    value,
    at,
  );
  if (made === undefined) {
    const message = "a token that several experts write to is not read: all experts run as one";
    at.context.raise("NotImplementedError", message, at.span);
    return true;
  }
  words.replace(self, made);
  return true;
}

/**
 * `choice == e`: mask of the choices that name the round's expert. `undefined` without a known
 * rank.
 */
export function choosing(
  words: TensorCalls,
  choice: Value,
  index: ExpertIndex,
  context: Context,
  span: Span,
): Value | undefined {
  const rank = words.tensorOf(choice)?.shape?.length;
  if (rank === undefined || index.data.start < 0) return undefined;
  const at = { context, span };
  const { start, experts } = index.data;
  const classes = start + experts;
  const made = callEntry(words, "one_hot", [choice], { num_classes: classes }, at);
  const order = [rank, ...Array.from({ length: rank }, (_, dim) => dim)];
  const front = callEntry(words, "permute", [made], { dims: order }, at);
  return inRoundOf(words, front, { start, experts }, at);
}

/**
 * Library calls with special meaning for experts: at token positions, or on results of a loop's
 * rounds. `undefined` for all others.
 */
export function ofExperts(
  words: TensorCalls,
  name: string,
  bound: ReadonlyMap<string, { readonly value: Value }>,
  operands: readonly Value[],
  at: At,
): Value | undefined {
  const expertParts = words.experts.parts;
  const [first] = operands;
  const isJoin = name === "concat" || name === "stack";
  const joined = isJoin ? expertParts.joinedRounds(operands, at) : undefined;
  if (joined !== undefined || first === undefined) return joined;
  if (name === "einsum" && !words.experts.areGrouped && !words.isInBody) {
    const made = productOfChosen(words, bound.get("equation")?.value, operands, at);
    if (made !== undefined) return made;
  }
  if (name === "split") return expertParts.partsOf(first, bound.get("split_size")?.value, at);
  const places = operands.find(isPlaceRow);
  if (places !== undefined)
    return callAtPlaces(words, name, [first, places, operands[2]], bound, at);
  const left = operands.find((each) => expertParts.isLeftOver(each));
  return left && expertParts.sayLeftOver(left, at);
}

/** Functions that gather or scatter elements along a dim at the positions of the round's tokens. */
function callAtPlaces(
  words: TensorCalls,
  name: string,
  [value, places, source]: readonly [Value, PlaceRow, Value | undefined],
  bound: ReadonlyMap<string, { readonly value: Value }>,
  at: At,
): Value {
  const dim = integerOf(bound.get("dim")?.value ?? bound.get("axis")?.value) ?? 0;
  if (name === "index_select" || name === "gather" || name === "take")
    return words.experts.rows.take(value, [places], dim, at);
  if (name === "scatter_add" && dim === 0 && source !== undefined)
    return words.experts.rows.add(value, [places], source, at);
  const message = `${name}() is not read at the places of an expert's tokens`;
  return at.context.raise("NotImplementedError", message, at.span);
}
