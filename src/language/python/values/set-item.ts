import type { Span } from "#core/diagnostics";
import { callSpecial } from "./call.ts";
import { plain, typeName } from "./classes.ts";
import { itemsOf } from "./iterate.ts";
import { keyOf } from "./keys.ts";
import type { Runtime } from "./runtime.ts";
import { boundsOf, indexOf, itemOfDict, positionsOf, type Slice } from "./subscript.ts";
import type { DictValue, ListValue, Value } from "./value.ts";

/**
 * `value[key] = to`. Returns the value that replaces the container, if a host type makes a new one;
 * else `undefined`.
 */
export function setItem(
  rt: Runtime,
  value: Value,
  key: Value,
  to: Value,
  span: Span,
): Value | undefined {
  const inner =
    callSpecial(rt, value, "__setitem__", [key, to], span) === undefined ? plain(value) : undefined;
  if (inner === undefined) return undefined;
  if (inner.kind === "list") {
    if (key.kind === "slice") {
      setSlice(rt, inner, key, to, span);
      return undefined;
    }
    const index = indexOf(rt, "list", key, span);
    const position = index < 0 ? index + inner.items.length : index;
    if (inner.items[position] === undefined) {
      rt.fail("IndexError", "list assignment index out of range", span);
    }
    inner.items[position] = to;
    return undefined;
  }
  if (inner.kind === "dict") {
    setEntry(rt, inner, key, to, span);
    return undefined;
  }
  rt.known(inner);
  const set = inner.kind === "host" && inner.type.setItem?.(inner, key, to, rt.context, span);
  if (typeof set === "object") return set === inner ? undefined : set;
  if (set === true) return undefined;
  return rt.fail("TypeError", `'${typeName(value)}' object does not support item assignment`, span);
}

/** Sets a dict entry. As in Python, an equal key already present is kept. */
export function setEntry(rt: Runtime, dict: DictValue, key: Value, to: Value, span: Span): void {
  const filed = keyOf(rt, key, span);
  const known = dict.entries.get(filed);
  if (known !== undefined) {
    known.value = to;
    return;
  }
  rt.allocate(3, span);
  dict.entries.set(filed, { key, value: to });
}

function setSlice(rt: Runtime, list: ListValue, slice: Slice, to: Value, span: Span): void {
  const isIterable = !["none", "int", "float", "bool"].includes(to.kind);
  if (!isIterable) rt.fail("TypeError", "can only assign an iterable", span);
  const items = itemsOf(rt, to, span);
  const { start, stop, step } = boundsOf(rt, slice, BigInt(list.items.length), span);
  rt.allocate(items.length, span);
  rt.tick(list.items.length >> 4, span);
  if (step === 1n) {
    const [from, end] = [Number(start), Number(stop)];
    const after = list.items.slice(Math.max(from, end));
    list.items = [...list.items.slice(0, from), ...items, ...after];
    return;
  }
  const positions = positionsOf(rt, slice, list.items.length, span);
  if (positions.length !== items.length) {
    const sizes = `sequence of size ${items.length} to extended slice of size ${positions.length}`;
    rt.fail("ValueError", `attempt to assign ${sizes}`, span);
  }
  positions.forEach((position, index) => {
    const item = items[index];
    if (item !== undefined) list.items[position] = item;
  });
}

/** `del value[key]`. */
export function deleteItem(rt: Runtime, value: Value, key: Value, span: Span): void {
  const done = callSpecial(rt, value, "__delitem__", [key], span);
  if (done !== undefined) return;
  const inner = plain(value);
  if (inner.kind === "dict") {
    if (inner.entries.delete(keyOf(rt, key, span))) return;
    itemOfDict(rt, inner, key, span);
  }
  if (inner.kind !== "list") {
    rt.known(inner);
    rt.fail("TypeError", `'${typeName(value)}' object doesn't support item deletion`, span);
  }
  rt.tick(inner.items.length >> 4, span);
  if (key.kind === "slice") {
    const gone = new Set(positionsOf(rt, key, inner.items.length, span));
    inner.items = inner.items.filter((_, index) => !gone.has(index));
    return;
  }
  const index = indexOf(rt, "list", key, span);
  const position = index < 0 ? index + inner.items.length : index;
  if (inner.items[position] === undefined) {
    rt.fail("IndexError", "list assignment index out of range", span);
  }
  inner.items.splice(position, 1);
}
