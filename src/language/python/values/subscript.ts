import type { Span } from "#core/diagnostics";
import { callMethod, callSpecial } from "./call.ts";
import { lookUp, plain, typeName } from "./classes.ts";
import { rangeLength } from "./equality.ts";
import { keyOf } from "./keys.ts";
import { none } from "./plain-values.ts";
import type { Runtime } from "./runtime.ts";
import { Raised } from "./signals.ts";
import type { DictValue, Value } from "./value.ts";

/** `value[key]`. */
export function getItem(rt: Runtime, value: Value, key: Value, span: Span): Value {
  switch (value.kind) {
    case "tuple":
    case "list":
      return itemOfSequence(rt, value, key, span);
    case "str":
      return itemOfText(rt, value.value, key, span);
    case "range":
      return itemOfRange(rt, value, key, span);
    case "dict":
      return itemOfDict(rt, value, key, span);
    case "host": {
      const found = value.type.item?.(value, key, rt.context, span);
      if (found !== undefined) return found;
      break;
    }
    case "class": {
      const own = callSpecial(rt, value, "__getitem__", [key], span);
      if (own !== undefined) return own;
      const generic = lookUp(value, "__class_getitem__");
      if (generic !== undefined)
        return callMethod(rt, generic, value, [{ value: key, span }], span);
      if (rt.types.get(value.name) === value) return value;
      return rt.fail("TypeError", `type '${value.name}' is not subscriptable`, span);
    }
    case "instance":
      return itemOfInstance(rt, value, key, span);
    case "function": {
      // An unknown decorator may return an object with items, such as a kernel indexed by its grid.
      const decorator = rt.decorators.get(value);
      if (decorator !== undefined) return getItem(rt, decorator, key, span);
      break;
    }
    case "unknown":
      rt.known(value);
  }
  return rt.fail("TypeError", `'${typeName(value)}' object is not subscriptable`, span);
}

function itemOfInstance(
  rt: Runtime,
  value: Extract<Value, { kind: "instance" }>,
  key: Value,
  span: Span,
): Value {
  const own = callSpecial(rt, value, "__getitem__", [key], span);
  if (own !== undefined) return own;
  const inner = plain(value);
  if (inner.kind === "dict" && !inner.entries.has(keyOf(rt, key, span))) {
    const made = callSpecial(rt, value, "__missing__", [key], span);
    if (made !== undefined) return made;
  }
  if (inner !== value) return getItem(rt, inner, key, span);
  return rt.fail("TypeError", `'${typeName(value)}' object is not subscriptable`, span);
}

export function itemOfDict(rt: Runtime, dict: DictValue, key: Value, span: Span): Value {
  const found = dict.entries.get(keyOf(rt, key, span));
  return found === undefined ? unfoundItem(rt, key, span) : rt.known(found.value);
}

/** What stands under a key that a dict lacks: a `KeyError`, or as unknown as an unknown key. */
export function unfoundItem(rt: Runtime, key: Value, span: Span): Value {
  if (key.kind === "host" && key.type.isUnknown === true) return getItem(rt, key, none, span);
  throw new Raised(rt.exception("KeyError", [key]), span);
}

type Sequence = Extract<Value, { kind: "tuple" | "list" }>;

function itemOfSequence(rt: Runtime, value: Sequence, key: Value, span: Span): Value {
  if (key.kind === "slice") {
    const picked = positionsOf(rt, key, value.items.length, span);
    rt.allocate(picked.length, span);
    const items = picked.flatMap((position) => value.items[position] ?? []);
    return { kind: value.kind, items };
  }
  const own =
    key.kind === "host" ? key.type.among?.(key, value.items, rt.context, span) : undefined;
  if (own !== undefined) return own;
  const index = indexOf(rt, value.kind, key, span);
  const found = value.items[index < 0 ? index + value.items.length : index];
  if (found !== undefined) return rt.known(found);
  return rt.fail("IndexError", `${value.kind} index out of range`, span);
}

/**
 * A key as an array index. Raises `IndexError` beyond 64 bits and `TypeError` if the key is no
 * integer.
 */
export function indexOf(rt: Runtime, kind: string, key: Value, span: Span): number {
  const own = asIndex(rt, key, span);
  if (own !== undefined) return fitted(rt, own, span);
  rt.known(key);
  const what = kind === "str" ? "string" : kind;
  const allowed = kind === "str" ? "integers" : "integers or slices";
  const name = kind === "str" ? `'${typeName(key)}'` : typeName(key);
  return rt.fail("TypeError", `${what} indices must be ${allowed}, not ${name}`, span);
}

function fitted(rt: Runtime, index: bigint, span: Span): number {
  if (index < 1n << 63n && index >= -(1n << 63n)) return Number(index);
  return rt.fail("IndexError", "cannot fit 'int' into an index-sized integer", span);
}

/** The integer of a value used as an index; `undefined` if it has none. */
export function asIndex(rt: Runtime, value: Value, span: Span): bigint | undefined {
  const inner = plain(value);
  if (inner.kind === "int" || inner.kind === "bool") return BigInt(inner.value);
  const own =
    inner.kind === "host"
      ? inner.type.number?.(inner, "index", rt.context, span)
      : callSpecial(rt, value, "__index__", [], span);
  return own?.kind === "int" ? own.value : undefined;
}

/** The code points of a text; the text itself if every UTF-16 unit is a code point. */
export function pointsOf(text: string): string | readonly string[] {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
}

function itemOfText(rt: Runtime, text: string, key: Value, span: Span): Value {
  if (text.length > 256) rt.tick(text.length >> 3, span);
  const points = pointsOf(text);
  if (key.kind === "slice") {
    const picked = positionsOf(rt, key, points.length, span);
    rt.allocateText(picked.length, span);
    return { kind: "str", value: picked.map((position) => points[position] ?? "").join("") };
  }
  const index = indexOf(rt, "str", key, span);
  const found = points[index < 0 ? index + points.length : index];
  if (found !== undefined) return { kind: "str", value: found };
  return rt.fail("IndexError", "string index out of range", span);
}

function itemOfRange(
  rt: Runtime,
  range: Extract<Value, { kind: "range" }>,
  key: Value,
  span: Span,
): Value {
  const length = rangeLength(range);
  if (key.kind === "slice") {
    const { start, stop, step } = boundsOf(rt, key, length, span);
    const at = (index: bigint) => range.start + index * range.step;
    return { kind: "range", start: at(start), stop: at(stop), step: range.step * step };
  }
  const index = asIndex(rt, key, span);
  if (index === undefined) return indexError(rt, "range", key, span);
  const position = index < 0n ? index + length : index;
  if (position < 0n || position >= length) {
    rt.fail("IndexError", "range object index out of range", span);
  }
  return { kind: "int", value: range.start + position * range.step };
}

function indexError(rt: Runtime, kind: string, key: Value, span: Span): never {
  const message = `${kind} indices must be integers or slices, not ${typeName(key)}`;
  return rt.fail("TypeError", message, span);
}

export type Slice = Extract<Value, { kind: "slice" }>;

/** Start, stop and step of a slice over `length` items, as `slice.indices` gives them. */
export function boundsOf(
  rt: Runtime,
  slice: Slice,
  length: bigint,
  span: Span,
): { readonly start: bigint; readonly stop: bigint; readonly step: bigint } {
  const step = bound(rt, slice.step, span) ?? 1n;
  if (step === 0n) rt.fail("ValueError", "slice step cannot be zero", span);
  const [low, high] = step > 0n ? [0n, length] : [-1n, length - 1n];
  const clamp = (value: bigint | undefined, missing: bigint) => {
    if (value === undefined) return missing;
    const positive = value < 0n ? value + length : value;
    return positive < low ? low : positive > high ? high : positive;
  };
  const start = clamp(bound(rt, slice.start, span), step > 0n ? low : high);
  const stop = clamp(bound(rt, slice.stop, span), step > 0n ? high : low);
  return { start, stop, step };
}

function bound(rt: Runtime, value: Value, span: Span): bigint | undefined {
  if (value.kind === "none") return undefined;
  const index = asIndex(rt, value, span);
  if (index !== undefined) return index;
  const message = "slice indices must be integers or None or have an __index__ method";
  return rt.fail("TypeError", message, span);
}

export function positionsOf(
  rt: Runtime,
  slice: Slice,
  length: number,
  span: Span,
): readonly number[] {
  const bounds = boundsOf(rt, slice, BigInt(length), span);
  const [start, stop] = [Number(bounds.start), Number(bounds.stop)];
  const step = Number(bounds.step);
  const positions: number[] = [];
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) positions.push(at);
  rt.tick(positions.length >> 2, span);
  return positions;
}
