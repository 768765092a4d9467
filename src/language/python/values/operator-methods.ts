import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { compare, contains } from "./compare.ts";
import type { Argument } from "./host.ts";
import { advanceOf } from "./iterate.ts";
import { lengthOf } from "./length.ts";
import { binary, specials, unary } from "./operators.ts";
import { none } from "./plain-values.ts";
import type { Method, Runtime } from "./runtime.ts";
import { deleteItem, setItem } from "./set-item.ts";
import { getItem } from "./subscript.ts";
import { reprOf, textOf } from "./text.ts";
import { truth } from "./truth.ts";
import type { Value } from "./value.ts";

/** Kinds of built-in values per special method, for `hasattr(x, "__len__")` and calls. */
const supports: ReadonlyMap<string, string> = new Map([
  ["__len__", "str tuple list dict dict-view set range"],
  ["__iter__", "str tuple list dict dict-view set range iterator generator"],
  ["__next__", "iterator generator"],
  ["__contains__", "str tuple list dict dict-view set range"],
  ["__getitem__", "str tuple list dict range"],
  ["__setitem__", "list dict"],
  ["__delitem__", "list dict"],
  ["__neg__", "int float bool"],
  ["__pos__", "int float bool"],
  ["__invert__", "int bool"],
]);

const numbers = "int float bool";
const binaryKinds: Readonly<Record<string, string>> = {
  "+": `${numbers} str tuple list`,
  "*": `${numbers} str tuple list`,
  "%": `${numbers} str`,
  "|": "int bool dict set",
  "&": "int bool set",
  "^": "int bool set",
  "-": `${numbers} set`,
  "<<": "int bool",
  ">>": "int bool",
};

const comparisons: ReadonlyMap<string, string> = new Map([
  ["__eq__", "=="],
  ["__ne__", "!="],
  ["__lt__", "<"],
  ["__le__", "<="],
  ["__gt__", ">"],
  ["__ge__", ">="],
]);

/**
 * Special method of a built-in value, for calls by name; `undefined` when the type does not have
 * it.
 */
export function operatorMethod(rt: Runtime, self: Value, name: string): Method | undefined {
  const comparison = comparisons.get(name);
  if (comparison !== undefined) {
    return (value, [other], span) => compare(rt, comparison, value, other?.value ?? none, span);
  }
  const operator = Object.keys(specials).find((sign) => `__${fieldOf(specials, sign)}__` === name);
  if (operator !== undefined) {
    if (operator === "@" || !hasKind(fieldOf(binaryKinds, operator) ?? numbers, self))
      return undefined;
    return (value, [other], span) => binary(rt, operator, value, other?.value ?? none, span);
  }
  if (name === "__str__")
    return (value, _args, span) => ({ kind: "str", value: textOf(rt, value, span) });
  if (name === "__repr__")
    return (value, _args, span) => ({ kind: "str", value: reprOf(rt, value, span) });
  if (name === "__bool__" && hasKind(numbers, self)) {
    return (value, _args, span) => ({ kind: "bool", value: truth(rt, value, span) });
  }
  return hasKind(supports.get(name) ?? "", self)
    ? (value, args, span) => perform(rt, name, value, args, span)
    : undefined;
}

function hasKind(kinds: string, { kind }: Value): boolean {
  return kinds.split(" ").includes(kind);
}

function perform(
  rt: Runtime,
  name: string,
  self: Value,
  args: readonly Argument[],
  span: Span,
): Value {
  const [first = none, second = none] = args.map(({ value }) => value);
  switch (name) {
    case "__len__":
      return { kind: "int", value: lengthOf(rt, self, span) };
    case "__iter__":
      return { kind: "iterator", name: "iterator", advance: advanceOf(rt, self, span) };
    case "__contains__":
      return { kind: "bool", value: contains(rt, self, first, span) };
    case "__getitem__":
      return getItem(rt, self, first, span);
    case "__setitem__":
      setItem(rt, self, first, second, span);
      return none;
    case "__delitem__":
      deleteItem(rt, self, first, span);
      return none;
    case "__neg__":
      return unary(rt, "-", self, span);
    case "__pos__":
      return unary(rt, "+", self, span);
    case "__invert__":
      return unary(rt, "~", self, span);
    default:
      return none;
  }
}
