// Items of module lists: their order and names.

import type { Span } from "#core/diagnostics";
import type { Context, Value } from "#language/python";

/** The attribute in which a module list holds its items. */
export const itemsName = "_items";

/**
 * The modules of a list in order. A module that the text sets as an attribute comes after the
 * items, as in the `_modules` of a `Module`.
 */
export function withAttributes(
  value: Value | undefined,
  isModule: (value: Value) => boolean,
): readonly Value[] {
  const items = itemsIn(value);
  const attributes = value?.kind === "instance" ? [...value.attributes.values()] : [];
  const others = attributes.filter((each) => isModule(each) && !items.includes(each));
  return others.length === 0 ? items : [...items, ...others];
}

/** The numbered items of a list, without modules set as attributes. */
export function itemsIn(value: Value | undefined): Value[] {
  const items = value?.kind === "instance" ? value.attributes.get(itemsName) : undefined;
  return items?.kind === "list" ? items.items : [];
}

/** The item whose name is its number: `getattr(sequence, "0")`. */
export function itemNamed(self: Value, name: string): Value | undefined {
  const at = placeOf(self, name);
  return at?.kind === "int" ? itemsIn(self)[Number(at.value)] : undefined;
}

/**
 * The index that an item's name denotes, since children of a list are named by number; `undefined`
 * if the list has no such index.
 */
export function placeOf(self: Value, name: string): Value | undefined {
  const at = /^(?:0|[1-9]\d*)$/u.test(name) ? Number(name) : undefined;
  if (at === undefined || at >= itemsIn(self).length) return undefined;
  return { kind: "int", value: BigInt(at) };
}

/** The item at an index. Raises `IndexError` if there is none. */
export function itemAt(
  items: readonly Value[],
  index: Value | undefined,
  context: Context,
  span: Span,
): Value {
  const found = index?.kind === "int" ? items.at(Number(index.value)) : undefined;
  return found ?? context.raise("IndexError", "index out of range", span);
}

/**
 * The attribute name of the item at an index: `Sequential(OrderedDict(…))[0]`. `undefined` for a
 * numbered item.
 */
export function keyAt(
  self: Value,
  all: readonly Value[],
  index: Value | undefined,
): string | undefined {
  if (self.kind !== "instance" || index?.kind !== "int") return undefined;
  const item = all.at(Number(index.value));
  if (item === undefined || itemsIn(self).includes(item)) return undefined;
  return [...self.attributes].find(([, value]) => value === item)?.[0];
}

/** Replaces the item at an index and returns the old one. */
export function setItem(items: Value[], index: Value | undefined, item: Value): Value | undefined {
  const at = index?.kind === "int" ? Number(index.value) : undefined;
  if (at === undefined) return undefined;
  const before = items.at(at);
  items[at < 0 ? at + items.length : at] = item;
  return before;
}

/**
 * Appends an item. If earlier items have names, the new one becomes an attribute named by its
 * number.
 */
export function addItem(self: Value, item: Value, isModule: (value: Value) => boolean): void {
  const [items, all] = [itemsIn(self), withAttributes(self, isModule)];
  if (self.kind === "instance" && all.length > items.length)
    self.attributes.set(String(all.length), item);
  else items.push(item);
}
