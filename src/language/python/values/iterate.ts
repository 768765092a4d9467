import type { Span } from "#core/diagnostics";
import { callSpecial } from "./call.ts";
import { isSubclass, plain, specialOf, typeName } from "./classes.ts";
import { rangeLength } from "./equality.ts";
import { none } from "./plain-values.ts";
import type { Runtime } from "./runtime.ts";
import { orderedMembers } from "./set-order.ts";
import { Raised } from "./signals.ts";
import type { Advance, DictValue, Entry, GeneratorValue, Value } from "./value.ts";

/** Starts an iteration, as `iter(value)` does. */
export function advanceOf(rt: Runtime, value: Value, span: Span): Advance {
  switch (value.kind) {
    case "tuple":
    case "list":
      return overItems(rt, value, span);
    case "str":
      return overText(rt, value.value, span);
    case "range":
      return overRange(rt, value.start, value.stop, value.step, span);
    case "dict":
      return overDict(rt, value, ({ key }) => key, span);
    case "dict-view":
      return overView(rt, value, span);
    case "set":
      return overSet(rt, value, span);
    case "iterator":
      return value.advance;
    case "generator":
      return () => resumeGenerator(value, span);
    case "host": {
      const items = value.type.iterate?.(value, rt.context, span);
      if (items !== undefined) return overItems(rt, { items }, span);
      break;
    }
    case "instance":
      return overInstance(rt, value, span);
    case "class": {
      const iterator = callSpecial(rt, value, "__iter__", [], span);
      if (iterator !== undefined) return advanceOf(rt, iterator, span);
      break;
    }
    case "unknown":
      rt.known(value);
  }
  return rt.fail("TypeError", `'${typeName(value)}' object is not iterable`, span);
}

const scalars: ReadonlySet<Value["kind"]> = new Set([
  "none",
  "ellipsis",
  "int",
  "float",
  "bool",
  "function",
  "method",
  "host-function",
  "module",
  "slice",
  "property",
]);

/** Whether a value is iterable; host and unknown values decide that when the iteration starts. */
export function canIterate(value: Value): boolean {
  if (value.kind === "class") return specialOf(value, "__iter__") !== undefined;
  if (value.kind !== "instance") return !scalars.has(value.kind);
  const inner = plain(value);
  if (inner !== value && canIterate(inner)) return true;
  return ["__iter__", "__getitem__"].some((name) => specialOf(value, name) !== undefined);
}

/** All items of an iteration. */
export function itemsOf(rt: Runtime, value: Value, span: Span): Value[] {
  if (value.kind === "tuple" || value.kind === "list") {
    rt.tick(value.items.length >> 3, span);
    return [...value.items];
  }
  const items: Value[] = [];
  // A range is charged as a whole, before its items are made.
  const counted = value.kind === "range";
  if (counted) rt.allocate(Number(rangeLength(value)), span);
  const advance = advanceOf(rt, value, span);
  for (let item = advance(); item !== undefined; item = advance()) {
    if (!counted) rt.allocate(1, span);
    items.push(item);
  }
  return items;
}

function overItems(rt: Runtime, of: { readonly items: readonly Value[] }, span: Span): Advance {
  let index = 0;
  return () => {
    rt.tick(1, span);
    const item = of.items[index];
    index += 1;
    return item;
  };
}

function overText(rt: Runtime, text: string, span: Span): Advance {
  const points = text[Symbol.iterator]();
  return () => {
    rt.tick(1, span);
    const { done, value } = points.next();
    return done === true ? undefined : { kind: "str", value };
  };
}

function overRange(rt: Runtime, start: bigint, stop: bigint, step: bigint, span: Span): Advance {
  let next = start;
  return () => {
    rt.tick(2, span);
    if (step > 0n ? next >= stop : next <= stop) return undefined;
    const value = next;
    next += step;
    return { kind: "int", value };
  };
}

function overDict(
  rt: Runtime,
  dict: DictValue,
  pick: (entry: Entry) => Value,
  span: Span,
): Advance {
  const { entries } = dict;
  const size = entries.size;
  const values = entries.values();
  return () => {
    rt.tick(1, span);
    if (entries.size !== size) {
      rt.fail("RuntimeError", "dictionary changed size during iteration", span);
    }
    const { done, value } = values.next();
    return done === true ? undefined : pick(value);
  };
}

function overView(
  rt: Runtime,
  { dict, of }: Extract<Value, { kind: "dict-view" }>,
  span: Span,
): Advance {
  if (of === "keys") return overDict(rt, dict, ({ key }) => key, span);
  if (of === "values") return overDict(rt, dict, ({ value }) => value, span);
  return overDict(rt, dict, ({ key, value }) => ({ kind: "tuple", items: [key, value] }), span);
}

function overSet(rt: Runtime, set: Extract<Value, { kind: "set" }>, span: Span): Advance {
  const size = set.members.size;
  const members = orderedMembers(set);
  rt.tick(members.length >> 1, span);
  let index = 0;
  return () => {
    rt.tick(1, span);
    if (set.members.size !== size) {
      rt.fail("RuntimeError", "Set changed size during iteration", span);
    }
    const value = members[index];
    index += 1;
    return value;
  };
}

function resumeGenerator(generator: GeneratorValue, span: Span): Value | undefined {
  const { done, value } = generator.resume({ send: none }, span);
  return done ? undefined : value;
}

function overInstance(
  rt: Runtime,
  value: Extract<Value, { kind: "instance" }>,
  span: Span,
): Advance {
  const iterator = callSpecial(rt, value, "__iter__", [], span);
  if (iterator === value) return overNext(rt, value, span);
  if (iterator !== undefined && !isIterator(iterator)) {
    const message = `iter() returned non-iterator of type '${typeName(iterator)}'`;
    rt.fail("TypeError", message, span);
  }
  if (iterator !== undefined) return advanceOf(rt, iterator, span);
  const inner = plain(value);
  if (inner !== value) return advanceOf(rt, inner, span);
  return overGetItem(rt, value, span);
}

function isIterator(value: Value): boolean {
  return ["iterator", "generator", "instance", "host", "unknown"].includes(value.kind);
}

/** Iteration over an object with `__next__`. */
function overNext(rt: Runtime, value: Value, span: Span): Advance {
  return () =>
    untilRaised(rt, "StopIteration", () => {
      const item = callSpecial(rt, value, "__next__", [], span);
      if (item !== undefined) return item;
      return rt.fail("TypeError", `'${typeName(value)}' object is not an iterator`, span);
    });
}

/** Iteration by the old protocol: `__getitem__` with 0, 1, 2, … until IndexError. */
function overGetItem(rt: Runtime, value: Value, span: Span): Advance {
  let index = 0n;
  return () =>
    untilRaised(rt, "IndexError", () => {
      const item = callSpecial(rt, value, "__getitem__", [{ kind: "int", value: index }], span);
      index += 1n;
      if (item !== undefined) return item;
      return rt.fail("TypeError", `'${typeName(value)}' object is not iterable`, span);
    });
}

/** Runs an action; returns `undefined` when it raises the exception that ends an iteration. */
export function untilRaised<T>(rt: Runtime, kind: string, action: () => T): T | undefined {
  try {
    return action();
  } catch (signal) {
    if (signal instanceof Raised && isSubclass(signal.exception.type, rt.type(kind))) {
      return undefined;
    }
    throw signal;
  }
}

/** Items of a starred expression; an unknown host value represents its items. */
export function starredItems(rt: Runtime, value: Value, span: Span): readonly Value[] {
  if (value.kind === "host" && value.type.isUnknown === true) return [value];
  return itemsOf(rt, value, span);
}

/**
 * Adapts a row of the wrong length for unpacking: an unknown item in it came from a starred
 * expression and is expanded to the missing items.
 */
export function spreadUnknown(
  rt: Runtime,
  items: readonly Value[],
  count: number,
  span: Span,
): readonly Value[] {
  const missing = count - items.length + 1;
  const at = items.findIndex((each) => each.kind === "host" && each.type.isUnknown === true);
  const unknown = items[at];
  if (unknown?.kind !== "host" || missing < 0) return items;
  return items.toSpliced(
    at,
    1,
    ...(unknown.type.unpack?.(unknown, missing, rt.context, span) ?? []),
  );
}
