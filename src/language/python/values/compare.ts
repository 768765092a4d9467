import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { callSpecial } from "./call.ts";
import { plain, typeName } from "./classes.ts";
import { equals, numberOf, rangeLength } from "./equality.ts";
import { advanceOf } from "./iterate.ts";
import { keyOf } from "./keys.ts";
import { chargeSearch, chargeSize, type Runtime } from "./runtime.ts";
import { truth } from "./truth.ts";
import type { SetValue, Value } from "./value.ts";

/** `a op b` for every comparison operator. Overloaded operators may return any value. */
export function compare(rt: Runtime, operator: string, a: Value, b: Value, span: Span): Value {
  switch (operator) {
    case "is":
      chargeSize(rt, a, span);
      return { kind: "bool", value: isSame(rt.known(a), rt.known(b)) };
    case "is not":
      chargeSize(rt, a, span);
      return { kind: "bool", value: !isSame(rt.known(a), rt.known(b)) };
    case "in":
      return unknownAmong(a, b) ?? { kind: "bool", value: contains(rt, b, a, span) };
    case "not in":
      return unknownAmong(a, b) ?? { kind: "bool", value: !contains(rt, b, a, span) };
    case "==":
    case "!=":
      return compareEquality(rt, operator, a, b, span);
    default:
      return compareOrder(rt, operator, a, b, span);
  }
}

/** The unknown operand of a membership test, which is then also its result; else `undefined`. */
function unknownAmong(item: Value, container: Value): Value | undefined {
  if (item === container) return undefined;
  return [item, container].find((each) => each.kind === "host" && each.type.isUnknown === true);
}

/**
 * Identity (`is`). Small immutable values with equal content count as one object, as in CPython.
 */
function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "none":
    case "ellipsis":
      return true;
    case "bool":
    case "int":
    case "str":
      return b.kind === a.kind && a.value === b.value;
    case "tuple":
      return b.kind === "tuple" && a.items.length === 0 && b.items.length === 0;
    default:
      return false;
  }
}

function compareEquality(rt: Runtime, operator: string, a: Value, b: Value, span: Span): Value {
  const name = operator === "==" ? "__eq__" : "__ne__";
  const own = callSpecial(rt, a, name, [b], span);
  if (own !== undefined && own !== rt.builtins.get("NotImplemented")) return own;
  if (a.kind === "host" || b.kind === "host") {
    const overloaded = hostCompare(rt, operator, a, b, span);
    if (overloaded !== undefined) return overloaded;
  }
  return { kind: "bool", value: equals(rt, a, b, span) === (operator === "==") };
}

const mirrored: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

function hostCompare(
  rt: Runtime,
  operator: string,
  a: Value,
  b: Value,
  span: Span,
): Value | undefined {
  if (a.kind === "host") {
    const result = a.type.binary?.(a, operator, b, false, rt.context, span);
    if (result !== undefined) return result;
  }
  if (b.kind !== "host") return undefined;
  return b.type.binary?.(b, operator, a, true, rt.context, span);
}

const orderMethods: Readonly<Record<string, string>> = {
  "<": "__lt__",
  ">": "__gt__",
  "<=": "__le__",
  ">=": "__ge__",
};

function compareOrder(rt: Runtime, operator: string, a: Value, b: Value, span: Span): Value {
  const notImplemented = rt.builtins.get("NotImplemented");
  const forward = callSpecial(rt, a, fieldOf(orderMethods, operator) ?? "", [b], span);
  if (forward !== undefined && forward !== notImplemented) return forward;
  const backward = callSpecial(
    rt,
    b,
    fieldOf(orderMethods, fieldOf(mirrored, operator) ?? "") ?? "",
    [a],
    span,
  );
  if (backward !== undefined && backward !== notImplemented) return backward;
  const overloaded = hostCompare(rt, operator, a, b, span);
  if (overloaded !== undefined) return overloaded;
  return { kind: "bool", value: orderPlain(rt, operator, a, b, span) };
}

function orderPlain(rt: Runtime, operator: string, x: Value, y: Value, span: Span): boolean {
  const [a, b] = [plain(x), plain(y)];
  const [left, right] = [asSet(rt, a, span), asSet(rt, b, span)];
  if (left !== undefined && right !== undefined) {
    rt.tick(left.members.size + right.members.size, span);
    return orderSets(operator, left, right);
  }
  chargeSize(rt, a, span);
  chargeSize(rt, b, span);
  const isNan = [a, b].some((side) => side.kind === "float" && Number.isNaN(side.value));
  const sign = order(rt, operator, a, b, span) ?? unordered(rt, operator, x, y, span);
  if (isNan) return false;
  switch (operator) {
    case "<":
      return sign < 0;
    case ">":
      return sign > 0;
    case "<=":
      return sign <= 0;
    default:
      return sign >= 0;
  }
}

/** Set, or a dict view of keys or items as one; `undefined` for other values. */
function asSet(rt: Runtime, value: Value, span: Span): SetValue | undefined {
  if (value.kind === "set") return value;
  if (value.kind !== "dict-view" || value.of === "values") return undefined;
  rt.tick(value.dict.entries.size, span);
  const members: SetValue["members"] = new Map();
  for (const [key, entry] of value.dict.entries) {
    if (value.of === "keys") members.set(key, entry.key);
    else {
      const item: Value = { kind: "tuple", items: [entry.key, entry.value] };
      members.set(keyOf(rt, item, span), item);
    }
  }
  return { kind: "set", frozen: false, members };
}

function orderSets(operator: string, a: SetValue, b: SetValue): boolean {
  const [low, high] = operator.startsWith("<") ? [a, b] : [b, a];
  const isSubset = [...low.members.keys()].every((key) => high.members.has(key));
  return isSubset && (operator.length === 2 || low.members.size < high.members.size);
}

/** Order of two values: negative, zero or positive; `undefined` when they are not comparable. */
function order(rt: Runtime, operator: string, a: Value, b: Value, span: Span): number | undefined {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : 0;
  if (a.kind === "str" && b.kind === "str") return orderTexts(a.value, b.value);
  const areSequences = (a.kind === "list" || a.kind === "tuple") && a.kind === b.kind;
  if (areSequences && (b.kind === "list" || b.kind === "tuple")) {
    return rt.nested(span, () => orderItems(rt, operator, a.items, b.items, span));
  }
  return undefined;
}

function unordered(rt: Runtime, operator: string, a: Value, b: Value, span: Span): never {
  rt.known(a);
  rt.known(b);
  const types = `'${typeName(a)}' and '${typeName(b)}'`;
  return rt.fail("TypeError", `'${operator}' not supported between instances of ${types}`, span);
}

/** Order by code points; UTF-16 units give the same order except around surrogates. */
function orderTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (!/[\ud800-\uffff]/.test(a + b)) return a < b ? -1 : 1;
  const [x, y] = [[...a], [...b]];
  const at = x.findIndex((character, index) => character !== y[index]);
  if (at < 0) return x.length - y.length;
  return (x[at]?.codePointAt(0) ?? 0) - (y[at]?.codePointAt(0) ?? -1);
}

function orderItems(
  rt: Runtime,
  operator: string,
  a: readonly Value[],
  b: readonly Value[],
  span: Span,
): number {
  rt.tick(1, span);
  const at = a.findIndex((item, index) => {
    const other = b[index];
    return other === undefined || !(item === other || equals(rt, item, other, span));
  });
  const [x, y] = [a[at], b[at]];
  if (x === undefined || y === undefined) return a.length - b.length;
  if (isLess(rt, operator, x, y, span)) return operator.startsWith("<") ? -1 : 1;
  return operator.startsWith("<") ? 1 : -1;
}

function isLess(rt: Runtime, operator: string, a: Value, b: Value, span: Span): boolean {
  return truth(rt, compareOrder(rt, operator, a, b, span), span);
}

/** `a < b`, for sorting. */
export function lessThan(rt: Runtime, a: Value, b: Value, span: Span): boolean {
  if (a.kind === "int" && b.kind === "int") {
    chargeSize(rt, a, span);
    return a.value < b.value;
  }
  return truth(rt, compareOrder(rt, "<", a, b, span), span);
}

/** `item in container`. */
export function contains(rt: Runtime, container: Value, item: Value, span: Span): boolean {
  const own = callSpecial(rt, container, "__contains__", [item], span);
  if (own !== undefined) return truth(rt, own, span);
  const inside = plain(container);
  switch (inside.kind) {
    case "str":
      if (item.kind === "str") {
        chargeSearch(rt, inside.value, item.value, span);
        return inside.value.includes(item.value);
      }
      rt.known(item);
      return rt.fail(
        "TypeError",
        `'in <string>' requires string as left operand, not ${typeName(item)}`,
        span,
      );
    case "dict":
      return inside.entries.has(keyOf(rt, item, span));
    case "set":
      return inside.members.has(keyOf(rt, item, span));
    case "dict-view":
      if (inside.of === "keys") return inside.dict.entries.has(keyOf(rt, item, span));
      return containsItem(rt, container, item, span);
    case "range":
      return rangeContains(rt, inside, item, span);
    default:
      return containsItem(rt, container, item, span);
  }
}

function rangeContains(
  rt: Runtime,
  range: Extract<Value, { kind: "range" }>,
  item: Value,
  span: Span,
): boolean {
  if (item.kind !== "int" && item.kind !== "bool") return containsItem(rt, range, item, span);
  const steps = BigInt(item.value) - range.start;
  const index = steps / range.step;
  return steps % range.step === 0n && index >= 0n && index < rangeLength(range);
}

function containsItem(rt: Runtime, container: Value, item: Value, span: Span): boolean {
  if (!isIterable(container)) {
    rt.known(container);
    const message = `argument of type '${typeName(container)}' is not iterable`;
    rt.fail("TypeError", message, span);
  }
  const advance = advanceOf(rt, container, span);
  for (let next = advance(); next !== undefined; next = advance()) {
    if (next === item || equals(rt, next, item, span)) return true;
  }
  return false;
}

function isIterable(value: Value): boolean {
  return !["none", "ellipsis", "bool", "int", "float", "function", "class", "module"].includes(
    value.kind,
  );
}
