import type { Span } from "#core/diagnostics";
import { itemsOf } from "./iterate.ts";
import { keyOf } from "./keys.ts";
import type { Runtime } from "./runtime.ts";
import type { DictValue, Key, SetValue, Value } from "./value.ts";

/**
 * `+ * | & - ^` on strings, sequences, dicts and sets; `undefined` where Python has none.
 *
 * @param into the left operand, when the result replaces its content (`a += b`)
 */
export function combineContainers(
  rt: Runtime,
  operator: string,
  a: Value,
  b: Value,
  span: Span,
  into?: Value,
): Value | undefined {
  if (operator === "+") return concatenate(rt, a, b, span, into);
  if (operator === "*") return repeatEither(rt, a, b, span, into);
  if (a.kind === "dict" && operator === "|") return mergeDicts(rt, a, b, span, into);
  const [x, y] = [asSet(rt, a, span), asSet(rt, b, span)];
  if (x === undefined || y === undefined) return undefined;
  const members = combineSets(rt, operator, x.members, y.members, span);
  if (members === undefined) return undefined;
  if (into?.kind === "set") {
    into.members.clear();
    for (const [key, value] of members) into.members.set(key, value);
    return into;
  }
  return { kind: "set", frozen: x.frozen, members };
}

function concatenate(
  rt: Runtime,
  a: Value,
  b: Value,
  span: Span,
  into: Value | undefined,
): Value | undefined {
  if (into?.kind === "list") {
    const added = itemsOf(rt, b, span);
    rt.allocate(added.length, span);
    for (const item of added) into.items.push(item);
    return into;
  }
  if (a.kind === "str" && b.kind === "str") {
    rt.allocateText(a.value.length + b.value.length, span);
    return { kind: "str", value: a.value + b.value };
  }
  if (a.kind !== b.kind || (a.kind !== "list" && a.kind !== "tuple")) return undefined;
  if (b.kind !== "list" && b.kind !== "tuple") return undefined;
  rt.allocate(a.items.length + b.items.length, span);
  return { kind: a.kind, items: [...a.items, ...b.items] };
}

function repeatEither(
  rt: Runtime,
  a: Value,
  b: Value,
  span: Span,
  into: Value | undefined,
): Value | undefined {
  if (b.kind === "int" || b.kind === "bool") return repeat(rt, a, BigInt(b.value), span, into);
  if (a.kind === "int" || a.kind === "bool") return repeat(rt, b, BigInt(a.value), span, undefined);
  return undefined;
}

function repeat(
  rt: Runtime,
  value: Value,
  count: bigint,
  span: Span,
  into: Value | undefined,
): Value | undefined {
  if (value.kind !== "str" && value.kind !== "list" && value.kind !== "tuple") return undefined;
  if (count >= 1n << 63n || count < -(1n << 63n)) {
    rt.fail("OverflowError", "cannot fit 'int' into an index-sized integer", span);
  }
  const times = Number(count < 0n ? 0n : count);
  if (value.kind === "str") {
    rt.allocateText(value.value.length * times, span);
    return { kind: "str", value: value.value.length === 0 ? "" : value.value.repeat(times) };
  }
  rt.allocate(value.items.length * times, span);
  const items: Value[] = [];
  const rounds = value.items.length === 0 ? 0 : times;
  for (let round = 0; round < rounds; round += 1) {
    for (const item of value.items) items.push(item);
  }
  if (into?.kind !== "list") return { kind: value.kind, items };
  into.items = items;
  return into;
}

function mergeDicts(
  rt: Runtime,
  a: DictValue,
  b: Value,
  span: Span,
  into: Value | undefined,
): Value | undefined {
  if (b.kind !== "dict") return undefined;
  rt.allocate(a.entries.size + b.entries.size, span);
  const target = into?.kind === "dict" ? into : { kind: a.kind, entries: copyEntries(a) };
  for (const [key, entry] of b.entries) {
    const known = target.entries.get(key);
    if (known === undefined) target.entries.set(key, { ...entry });
    else known.value = entry.value;
  }
  return target;
}

function copyEntries(dict: DictValue): DictValue["entries"] {
  return new Map([...dict.entries].map(([key, entry]) => [key, { ...entry }]));
}

/** Set, or a dict view of keys or items as one; `undefined` for other values. */
function asSet(rt: Runtime, value: Value, span: Span): SetValue | undefined {
  if (value.kind === "set") return value;
  if (value.kind !== "dict-view" || value.of === "values") return undefined;
  const items = itemsOf(rt, value, span);
  const members = new Map(items.map((item) => [keyOf(rt, item, span), item]));
  return { kind: "set", frozen: false, members };
}

type Members = Map<Key, Value>;

/** Members of a union, intersection, difference or symmetric difference. */
export function combineSets(
  rt: Runtime,
  operator: string,
  a: Members,
  b: Members,
  span: Span,
): Members | undefined {
  rt.allocate(a.size + b.size, span);
  switch (operator) {
    case "|":
      return new Map([...a, ...[...b].filter(([key]) => !a.has(key))]);
    case "&":
      return new Map([...a].filter(([key]) => b.has(key)));
    case "-":
      return new Map([...a].filter(([key]) => !b.has(key)));
    case "^":
      return new Map([
        ...[...a].filter(([key]) => !b.has(key)),
        ...[...b].filter(([key]) => !a.has(key)),
      ]);
    default:
      return undefined;
  }
}
