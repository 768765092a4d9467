import type { Span } from "#core/diagnostics";
import { combineSets } from "../values/container-operators.ts";
import type { Argument } from "../values/host.ts";
import { itemsOf } from "../values/iterate.ts";
import { keyOf } from "../values/keys.ts";
import { bool, none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { orderedMembers } from "../values/set-order.ts";
import { Raised } from "../values/signals.ts";
import type { SetValue, Value } from "../values/value.ts";
import { bindArguments, first } from "./bind-arguments.ts";
import { makeSet } from "./constructors.ts";

type SetMethod = (rt: Runtime, self: SetValue, args: readonly Argument[], span: Span) => Value;

/** The methods of `set`; those that change it are missing from `frozenset`. */
export const setMethods: ReadonlyMap<string, SetMethod> = new Map<string, SetMethod>([
  ["add", add],
  ["discard", discard],
  ["remove", remove],
  ["pop", pop],
  ["clear", clear],
  ["copy", (rt, self, _args, span) => makeSet(rt, [...self.members.values()], self.frozen, span)],
  ["union", (rt, self, args, span) => combined(rt, "|", self, args, span)],
  ["intersection", (rt, self, args, span) => combined(rt, "&", self, args, span)],
  ["difference", (rt, self, args, span) => combined(rt, "-", self, args, span)],
  ["symmetric_difference", (rt, self, args, span) => combined(rt, "^", self, args, span)],
  ["update", (rt, self, args, span) => become(self, combined(rt, "|", self, args, span))],
  [
    "intersection_update",
    (rt, self, args, span) => become(self, combined(rt, "&", self, args, span)),
  ],
  [
    "difference_update",
    (rt, self, args, span) => become(self, combined(rt, "-", self, args, span)),
  ],
  [
    "symmetric_difference_update",
    (rt, self, args, span) => become(self, combined(rt, "^", self, args, span)),
  ],
  ["issubset", (rt, self, args, span) => bool(isWithin(self, other(rt, args, span)))],
  ["issuperset", (rt, self, args, span) => bool(isWithin(other(rt, args, span), self))],
  ["isdisjoint", (rt, self, args, span) => bool(isApart(self, other(rt, args, span)))],
]);

/** Names of methods that change a set. */
export const changingSetMethods: readonly string[] = [
  "add",
  "discard",
  "remove",
  "pop",
  "clear",
  "update",
  "intersection_update",
  "difference_update",
  "symmetric_difference_update",
];

function discard(rt: Runtime, self: SetValue, args: readonly Argument[], span: Span): Value {
  self.members.delete(keyOf(rt, first(bindArguments(rt, "discard", args, "elem", span)), span));
  return none;
}

function clear(rt: Runtime, self: SetValue, args: readonly Argument[], span: Span): Value {
  bindArguments(rt, "clear", args, "", span);
  self.members.clear();
  return none;
}

function other(rt: Runtime, args: readonly Argument[], span: Span): SetValue {
  return makeSet(
    rt,
    itemsOf(rt, first(bindArguments(rt, "set method", args, "other", span)), span),
    false,
    span,
  );
}

function add(rt: Runtime, self: SetValue, args: readonly Argument[], span: Span): Value {
  const item = first(bindArguments(rt, "add", args, "elem", span));
  const key = keyOf(rt, item, span);
  if (!self.members.has(key)) {
    rt.allocate(2, span);
    self.members.set(key, item);
  }
  return none;
}

function remove(rt: Runtime, self: SetValue, args: readonly Argument[], span: Span): Value {
  const item = first(bindArguments(rt, "remove", args, "elem", span));
  if (self.members.delete(keyOf(rt, item, span))) return none;
  throw new Raised(rt.exception("KeyError", [item]), span);
}

function pop(rt: Runtime, self: SetValue, args: readonly Argument[], span: Span): Value {
  bindArguments(rt, "pop", args, "", span);
  const [item] = orderedMembers(self);
  if (item === undefined) return rt.fail("KeyError", "pop from an empty set", span);
  self.members.delete(keyOf(rt, item, span));
  return item;
}

function combined(
  rt: Runtime,
  operator: string,
  self: SetValue,
  args: readonly Argument[],
  span: Span,
): SetValue {
  let { members } = self;
  for (const { value, span: at } of args) {
    const next = makeSet(rt, itemsOf(rt, value, at), false, span).members;
    members = combineSets(rt, operator, members, next, span) ?? members;
  }
  return { kind: "set", frozen: self.frozen, members: new Map(members) };
}

function become(self: SetValue, result: SetValue): Value {
  self.members.clear();
  for (const [key, value] of result.members) self.members.set(key, value);
  return none;
}

function isWithin(inner: SetValue, outer: SetValue): boolean {
  return [...inner.members.keys()].every((key) => outer.members.has(key));
}

function isApart(a: SetValue, b: SetValue): boolean {
  return ![...a.members.keys()].some((key) => b.members.has(key));
}
