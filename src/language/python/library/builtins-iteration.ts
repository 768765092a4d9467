import type { Span } from "#core/diagnostics";
import { getAttribute } from "../values/attributes.ts";
import { call, callSpecial, callWith } from "../values/call.ts";
import { typeName } from "../values/classes.ts";
import { lessThan } from "../values/compare.ts";
import { equals } from "../values/equality.ts";
import type { Argument } from "../values/host.ts";
import { advanceOf, itemsOf } from "../values/iterate.ts";
import { lengthOf } from "../values/length.ts";
import { binary } from "../values/operators.ts";
import { none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { Raised } from "../values/signals.ts";
import { getItem } from "../values/subscript.ts";
import { truth } from "../values/truth.ts";
import type { Advance, Value } from "../values/value.ts";
import { bindArguments, first, integer } from "./bind-arguments.ts";
import type { Builtin } from "./builtins.ts";
import { sorted } from "./sort.ts";

/** Builtin functions that iterate. */
export const iterationBuiltins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["sum", sum],
  ["min", (rt, args, span) => extreme(rt, "min", args, span)],
  ["max", (rt, args, span) => extreme(rt, "max", args, span)],
  ["sorted", sortedBuiltin],
  ["reversed", reversed],
  ["enumerate", enumerate],
  ["zip", zip],
  ["map", map],
  ["filter", filter],
  ["any", (rt, args, span) => ({ kind: "bool", value: some(rt, "any", args, true, span) })],
  ["all", (rt, args, span) => ({ kind: "bool", value: !some(rt, "all", args, false, span) })],
  ["iter", iter],
  ["next", next],
]);

function iterator(name: string, advance: Advance): Value {
  return { kind: "iterator", name, advance };
}

function sum(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [of = none, start] = bindArguments(rt, "sum", args, "iterable start?", span);
  let total: Value = start ?? { kind: "int", value: 0n };
  if (total.kind === "str") {
    rt.fail("TypeError", "sum() can't sum strings [use ''.join(seq) instead]", span);
  }
  const advance = advanceOf(rt, of, args[0]?.span ?? span);
  for (let item = advance(); item !== undefined; item = advance()) {
    rt.tick(2, span);
    total = binary(rt, "+", total, item, span);
  }
  return total;
}

function extreme(rt: Runtime, name: string, args: readonly Argument[], span: Span): Value {
  const positional = args.filter((argument) => argument.name === undefined);
  const option = (wanted: string) => args.find((argument) => argument.name === wanted)?.value;
  const [only] = positional;
  if (only === undefined) {
    return rt.fail("TypeError", `${name} expected at least 1 argument, got 0`, span);
  }
  const items =
    positional.length === 1
      ? itemsOf(rt, only.value, only.span)
      : positional.map(({ value }) => value);
  const key = option("key");
  const rank = (item: Value) =>
    key === undefined || key.kind === "none" ? item : callWith(rt, key, [item], span);
  let [best] = items;
  if (best === undefined) {
    return option("default") ?? rt.fail("ValueError", `${name}() arg is an empty sequence`, span);
  }
  let bestRank = rank(best);
  for (const item of items.slice(1)) {
    const itemRank = rank(item);
    const isBetter =
      name === "min"
        ? lessThan(rt, itemRank, bestRank, span)
        : lessThan(rt, bestRank, itemRank, span);
    if (isBetter) [best, bestRank] = [item, itemRank];
  }
  return best;
}

function sortedBuiltin(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [of = none, key, reverse] = bindArguments(
    rt,
    "sorted",
    args,
    "iterable key? reverse?",
    span,
  );
  const items = itemsOf(rt, of, args[0]?.span ?? span);
  return { kind: "list", items: sorted(rt, items, key, reverse, span) };
}

function reversed(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const of = first(bindArguments(rt, "reversed", args, "sequence", span));
  const own = callSpecial(rt, of, "__reversed__", [], span);
  if (own !== undefined) return own;
  if (of.kind === "dict" || of.kind === "dict-view") {
    const items = itemsOf(rt, of, span).reverse();
    return iterator("dict_reversekeyiterator", advanceOf(rt, { kind: "tuple", items }, span));
  }
  const hasOrder = ["list", "tuple", "str", "range", "instance", "host"].includes(of.kind);
  if (!hasOrder) rt.fail("TypeError", `'${typeName(of)}' object is not reversible`, span);
  let index = lengthOf(rt, of, span);
  const name =
    of.kind === "list"
      ? "list_reverseiterator"
      : of.kind === "range"
        ? "range_iterator"
        : "reversed";
  return iterator(name, () => {
    rt.tick(1, span);
    index -= 1n;
    return index < 0n ? undefined : getItem(rt, of, { kind: "int", value: index }, span);
  });
}

function enumerate(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [of = none, start] = bindArguments(rt, "enumerate", args, "iterable start?", span);
  const advance = advanceOf(rt, of, args[0]?.span ?? span);
  let index = start === undefined ? 0n : integer(rt, start, span);
  return iterator("enumerate", () => {
    const item = advance();
    if (item === undefined) return undefined;
    const value = index;
    index += 1n;
    return { kind: "tuple", items: [{ kind: "int", value }, item] };
  });
}

function zip(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const positional = args.filter(({ name }) => name === undefined);
  const strict = args.find(({ name }) => name === "strict")?.value;
  const isStrict = strict !== undefined && truth(rt, strict, span);
  const advances = positional.map(({ value, span: at }) => advanceOf(rt, value, at));
  return iterator("zip", () => {
    rt.tick(3, span);
    const items: Value[] = [];
    for (const [index, advance] of advances.entries()) {
      const item = advance();
      if (item !== undefined) items.push(item);
      else if (!isStrict || (index === 0 && allEnded(advances.slice(1)))) return undefined;
      else return unequal(rt, index, span);
    }
    return items.length === 0 ? undefined : { kind: "tuple", items };
  });
}

function allEnded(advances: readonly Advance[]): boolean {
  return advances.every((advance) => advance() === undefined);
}

function unequal(rt: Runtime, index: number, span: Span): never {
  const message =
    index === 0
      ? "zip() argument 2 is longer than argument 1"
      : `zip() argument ${index + 1} is shorter than argument${index === 1 ? " 1" : `s 1-${index}`}`;
  return rt.fail("ValueError", message, span);
}

function map(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [callee, ...sources] = args;
  if (callee === undefined || sources.length === 0) {
    return rt.fail("TypeError", "map() must have at least two arguments.", span);
  }
  const [only] = sources;
  const { unpack } = only?.value.kind === "host" ? only.value.type : {};
  if (unpack !== undefined && sources.length === 1) return mapOfHost(rt, callee.value, only, span);
  const advances = sources.map(({ value, span: at }) => advanceOf(rt, value, at));
  return iterator("map", () => {
    const items: Argument[] = [];
    for (const advance of advances) {
      const value = advance();
      if (value === undefined) return undefined;
      items.push({ value, span });
    }
    return call(rt, callee.value, items, span);
  });
}

/**
 * `map` over a host value, whose number of items follows from unpacking; it starts on first use.
 */
function mapOfHost(rt: Runtime, callee: Value, source: Argument | undefined, span: Span): Value {
  if (source?.value.kind !== "host") return none;
  const { value, span: at } = source;
  let advance: (() => Value | undefined) | undefined;
  return {
    kind: "iterator",
    name: "map",
    advance: () => {
      advance ??= advanceOf(rt, value, at);
      const item = advance();
      return item && callWith(rt, callee, [item], span);
    },
    unpack: (count) => {
      const items =
        advance === undefined ? value.type.unpack?.(value, count, rt.context, at) : undefined;
      return items?.map((item) => callWith(rt, callee, [item], span));
    },
  };
}

function filter(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [test = none, of = none] = bindArguments(rt, "filter", args, "function iterable", span);
  const advance = advanceOf(rt, of, args[1]?.span ?? span);
  return iterator("filter", () => {
    for (let item = advance(); item !== undefined; item = advance()) {
      const verdict = test.kind === "none" ? item : callWith(rt, test, [item], span);
      if (truth(rt, verdict, span)) return item;
    }
    return undefined;
  });
}

function some(
  rt: Runtime,
  name: string,
  args: readonly Argument[],
  wanted: boolean,
  span: Span,
): boolean {
  const of = first(bindArguments(rt, name, args, "iterable", span));
  const advance = advanceOf(rt, of, args[0]?.span ?? span);
  for (let item = advance(); item !== undefined; item = advance()) {
    if (truth(rt, item, span) === wanted) return true;
  }
  return false;
}

function iter(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [of = none, sentinel] = bindArguments(rt, "iter", args, "object sentinel?", span);
  if (sentinel !== undefined) return untilSentinel(rt, of, sentinel, span);
  if (of.kind === "iterator" || of.kind === "generator") return of;
  if (rt.host.isUnknown?.(of) === true) return oneOf(rt, of, span);
  const own = callSpecial(rt, of, "__iter__", [], span);
  if (own !== undefined) return own;
  return iterator(iteratorName(of), advanceOf(rt, of, span));
}

/** The class of an iterator, as CPython 3.11 names it. */
function iteratorName(of: Value): string {
  if (of.kind === "dict") return "dict_keyiterator";
  if (of.kind === "dict-view") return `dict_${of.of.slice(0, -1)}iterator`;
  if (of.kind === "str" && /^\p{ASCII}*$/u.test(of.value)) return "str_ascii_iterator";
  return `${typeName(of)}_iterator`;
}

/** Iterator over an unknown value, with one unknown item. */
function oneOf(rt: Runtime, of: Value, span: Span): Value {
  const items = [getAttribute(rt, of, "next", span)];
  return iterator("iterator", () => items.pop());
}

function untilSentinel(rt: Runtime, callee: Value, sentinel: Value, span: Span): Value {
  return iterator("callable_iterator", () => {
    const value = callWith(rt, callee, [], span);
    return equals(rt, value, sentinel, span) ? undefined : value;
  });
}

function next(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [of = none, assumed] = bindArguments(rt, "next", args, "iterator default?", span);
  const end = (value: Value): Value => {
    if (assumed !== undefined) return assumed;
    const stop = rt.exception("StopIteration", value.kind === "none" ? [] : [value]);
    stop.attributes.set("value", value);
    throw new Raised(stop, span);
  };
  if (rt.host.isUnknown?.(of) === true) return getAttribute(rt, of, "next", span);
  if (of.kind === "generator") {
    const { done, value } = of.resume({ send: none }, span);
    return done ? end(value) : value;
  }
  if (of.kind === "iterator") return of.advance() ?? end(none);
  const own = of.kind === "instance" ? nextOfInstance(rt, of, assumed, span) : undefined;
  if (own !== undefined) return own;
  return rt.fail("TypeError", `'${typeName(of)}' object is not an iterator`, span);
}

function nextOfInstance(
  rt: Runtime,
  of: Value,
  assumed: Value | undefined,
  span: Span,
): Value | undefined {
  try {
    return callSpecial(rt, of, "__next__", [], span);
  } catch (signal) {
    const isEnd = signal instanceof Raised && signal.exception.type === rt.type("StopIteration");
    if (isEnd && assumed !== undefined) return assumed;
    throw signal;
  }
}
