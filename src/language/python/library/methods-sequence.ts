import type { Span } from "#core/diagnostics";
import { equals } from "../values/equality.ts";
import type { Argument } from "../values/host.ts";
import { itemsOf } from "../values/iterate.ts";
import { none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { asIndex } from "../values/subscript.ts";
import { reprOf } from "../values/text.ts";
import type { ListValue, Value } from "../values/value.ts";
import { bindArguments, first, size } from "./bind-arguments.ts";
import { sorted } from "./sort.ts";

type ListMethod = (rt: Runtime, self: ListValue, args: readonly Argument[], span: Span) => Value;

/** The methods of `list`. */
export const listMethods: ReadonlyMap<string, ListMethod> = new Map<string, ListMethod>([
  ["append", append],
  ["extend", extend],
  ["insert", insert],
  ["remove", remove],
  ["pop", pop],
  ["clear", clear],
  ["index", (rt, self, args, span) => indexOf(rt, "list", self.items, args, span)],
  ["count", (rt, self, args, span) => countOf(rt, self.items, args, span)],
  ["sort", sort],
  ["reverse", reverse],
  ["copy", copy],
]);

type Sequence = { readonly items: readonly Value[] };
type TupleMethod = (rt: Runtime, self: Sequence, args: readonly Argument[], span: Span) => Value;

/** The methods of `tuple`. */
export const tupleMethods: ReadonlyMap<string, TupleMethod> = new Map<string, TupleMethod>([
  ["index", (rt, self, args, span) => indexOf(rt, "tuple", self.items, args, span)],
  ["count", (rt, self, args, span) => countOf(rt, self.items, args, span)],
]);

function clear(rt: Runtime, self: ListValue, args: readonly Argument[], span: Span): Value {
  bindArguments(rt, "clear", args, "", span);
  self.items = [];
  return none;
}

function append(rt: Runtime, self: ListValue, args: readonly Argument[], span: Span): Value {
  const item = first(bindArguments(rt, "list.append", args, "object", span));
  rt.allocate(1, span);
  self.items.push(item);
  return none;
}

function extend(rt: Runtime, self: ListValue, args: readonly Argument[], span: Span): Value {
  const added = itemsOf(
    rt,
    first(bindArguments(rt, "list.extend", args, "iterable", span)),
    args[0]?.span ?? span,
  );
  rt.allocate(added.length, span);
  for (const item of added) self.items.push(item);
  return none;
}

function insert(rt: Runtime, self: ListValue, args: readonly Argument[], span: Span): Value {
  const [at = none, item = none] = bindArguments(rt, "insert", args, "index object", span);
  rt.allocate(1, span);
  rt.tick(self.items.length >> 4, span);
  self.items.splice(size(rt, at, span), 0, item);
  return none;
}

function remove(rt: Runtime, self: ListValue, args: readonly Argument[], span: Span): Value {
  const item = first(bindArguments(rt, "list.remove", args, "value", span));
  const at = self.items.findIndex((other) => other === item || equals(rt, other, item, span));
  if (at < 0) rt.fail("ValueError", "list.remove(x): x not in list", span);
  rt.tick(self.items.length >> 4, span);
  self.items.splice(at, 1);
  return none;
}

function pop(rt: Runtime, self: ListValue, args: readonly Argument[], span: Span): Value {
  const [at] = bindArguments(rt, "pop", args, "index?", span);
  const index = at === undefined ? -1 : size(rt, at, span);
  if (self.items.length === 0) rt.fail("IndexError", "pop from empty list", span);
  const position = index < 0 ? index + self.items.length : index;
  const found = self.items[position];
  if (found === undefined) return rt.fail("IndexError", "pop index out of range", span);
  rt.tick((self.items.length - position) >> 4, span);
  self.items.splice(position, 1);
  return found;
}

function indexOf(
  rt: Runtime,
  kind: string,
  items: readonly Value[],
  args: readonly Argument[],
  span: Span,
): Value {
  const [item = none, start, stop] = bindArguments(rt, "index", args, "value start? stop?", span);
  const place = (value: Value | undefined, assumed: number) => {
    if (value === undefined) return assumed;
    const index = Number(asIndex(rt, value, span) ?? 0n);
    return index < 0 ? Math.max(0, index + items.length) : index;
  };
  const [from, to] = [place(start, 0), place(stop, items.length)];
  const at = items.findIndex(
    (other, index) =>
      index >= from && index < to && (other === item || equals(rt, other, item, span)),
  );
  if (at >= 0) return { kind: "int", value: BigInt(at) };
  const message =
    kind === "list" ? `${reprOf(rt, item, span)} is not in list` : "tuple.index(x): x not in tuple";
  return rt.fail("ValueError", message, span);
}

function countOf(
  rt: Runtime,
  items: readonly Value[],
  args: readonly Argument[],
  span: Span,
): Value {
  const item = first(bindArguments(rt, "count", args, "value", span));
  const same = items.filter((other) => other === item || equals(rt, other, item, span));
  return { kind: "int", value: BigInt(same.length) };
}

function sort(rt: Runtime, self: ListValue, args: readonly Argument[], span: Span): Value {
  if (args.some(({ name }) => name === undefined)) {
    rt.fail("TypeError", `sort() takes no positional arguments`, span);
  }
  const [key, reversed] = bindArguments(rt, "sort", args, "key? reverse?", span);
  self.items = sorted(rt, self.items, key, reversed, span);
  return none;
}

function reverse(rt: Runtime, self: ListValue, args: readonly Argument[], span: Span): Value {
  bindArguments(rt, "reverse", args, "", span);
  rt.tick(self.items.length >> 3, span);
  self.items.reverse();
  return none;
}

function copy(rt: Runtime, self: ListValue, args: readonly Argument[], span: Span): Value {
  bindArguments(rt, "copy", args, "", span);
  rt.allocate(self.items.length, span);
  return { kind: "list", items: [...self.items] };
}
