import type { Span } from "#core/diagnostics";
import type { Argument } from "../values/host.ts";
import { itemsOf } from "../values/iterate.ts";
import { keyOf } from "../values/keys.ts";
import { none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { setEntry } from "../values/set-item.ts";
import { unfoundItem } from "../values/subscript.ts";
import type { DictValue, Value } from "../values/value.ts";
import { bindArguments, first } from "./bind-arguments.ts";
import { fillDict } from "./constructors.ts";

type DictMethod = (rt: Runtime, self: DictValue, args: readonly Argument[], span: Span) => Value;

/** The methods of `dict`. */
export const dictMethods: ReadonlyMap<string, DictMethod> = new Map<string, DictMethod>([
  ["keys", (_rt, self) => ({ kind: "dict-view", dict: self, of: "keys" })],
  ["values", (_rt, self) => ({ kind: "dict-view", dict: self, of: "values" })],
  ["items", (_rt, self) => ({ kind: "dict-view", dict: self, of: "items" })],
  ["get", get],
  ["pop", pop],
  ["popitem", popItem],
  ["setdefault", setDefault],
  ["update", update],
  ["clear", clear],
  ["copy", copy],
  ["fromkeys", fromKeys],
]);

function clear(rt: Runtime, self: DictValue, args: readonly Argument[], span: Span): Value {
  bindArguments(rt, "clear", args, "", span);
  self.entries.clear();
  return none;
}

function get(rt: Runtime, self: DictValue, args: readonly Argument[], span: Span): Value {
  const [key = none, assumed = none] = bindArguments(rt, "get", args, "key default?", span);
  return self.entries.get(keyOf(rt, key, span))?.value ?? assumed;
}

function pop(rt: Runtime, self: DictValue, args: readonly Argument[], span: Span): Value {
  const [key = none, assumed] = bindArguments(rt, "pop", args, "key default?", span);
  const filed = keyOf(rt, key, span);
  const found = self.entries.get(filed)?.value ?? assumed;
  if (found === undefined) return unfoundItem(rt, key, span);
  self.entries.delete(filed);
  return found;
}

function popItem(rt: Runtime, self: DictValue, args: readonly Argument[], span: Span): Value {
  bindArguments(rt, "popitem", args, "", span);
  rt.tick(self.entries.size >> 4, span);
  const last = [...self.entries].at(-1);
  if (last === undefined) return rt.fail("KeyError", "popitem(): dictionary is empty", span);
  self.entries.delete(last[0]);
  return { kind: "tuple", items: [last[1].key, last[1].value] };
}

function setDefault(rt: Runtime, self: DictValue, args: readonly Argument[], span: Span): Value {
  const [key = none, assumed = none] = bindArguments(rt, "setdefault", args, "key default?", span);
  const found = self.entries.get(keyOf(rt, key, span))?.value;
  if (found === undefined) setEntry(rt, self, key, assumed, span);
  return found ?? assumed;
}

function update(rt: Runtime, self: DictValue, args: readonly Argument[], span: Span): Value {
  for (const { name, value, span: at } of args) {
    if (name === undefined) fillDict(rt, self, value, at);
    else setEntry(rt, self, { kind: "str", value: name }, value, span);
  }
  return none;
}

function copy(rt: Runtime, self: DictValue, args: readonly Argument[], span: Span): Value {
  bindArguments(rt, "copy", args, "", span);
  rt.allocate(self.entries.size * 3, span);
  return {
    kind: "dict",
    entries: new Map([...self.entries].map(([key, entry]) => [key, { ...entry }])),
  };
}

function fromKeys(rt: Runtime, _self: DictValue, args: readonly Argument[], span: Span): Value {
  const [keys, value = none] = bindArguments(rt, "fromkeys", args, "iterable value?", span);
  const made: DictValue = { kind: "dict", entries: new Map() };
  for (const key of itemsOf(rt, keys ?? none, span)) setEntry(rt, made, key, value, span);
  return made;
}

type ViewMethod = (rt: Runtime, self: Value, args: readonly Argument[], span: Span) => Value;

/** Methods of dict views. */
export const viewMethods: ReadonlyMap<string, ViewMethod> = new Map<string, ViewMethod>([
  [
    "isdisjoint",
    (rt, self, args, span) => {
      const other = itemsOf(rt, first(bindArguments(rt, "isdisjoint", args, "other", span)), span);
      const keys = new Set(itemsOf(rt, self, span).map((item) => keyOf(rt, item, span)));
      return { kind: "bool", value: !other.some((item) => keys.has(keyOf(rt, item, span))) };
    },
  ],
]);
