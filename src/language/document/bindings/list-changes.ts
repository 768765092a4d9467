// Methods that add items to a module list and remove them from it.

import type { Argument, hostClass, Value } from "#language/python";
import { addItem, itemAt, itemsIn, keyAt, placeOf, setItem } from "./list-items.ts";
import { none, textOf } from "./values/values.ts";

type Methods = Parameters<typeof hostClass>[1];
type All = (value: Value | undefined) => readonly Value[];

/** Callbacks of a module list: `replaced` is told of items that left the list. */
interface ChangeNotes {
  readonly replaced: (value: Value) => void;
  readonly isModule: (value: Value) => boolean;
}

/** Methods of a module list that add, replace and remove items. */
export function changing(notes: ChangeNotes, all: All): Methods {
  return {
    __setitem__: ([self, index, item], context, span) => {
      if (self === undefined || item === undefined) return none;
      const key = keyAt(self.value, all(self.value), index?.value);
      if (key !== undefined) {
        context.setAttribute(self.value, key, item.value, span);
        return none;
      }
      const before = setItem(itemsIn(self.value), index?.value, item.value);
      if (before !== undefined) notes.replaced(before);
      return none;
    },
    __delitem__: ([self, index], context, span) => {
      if (self === undefined || index === undefined) return none;
      const key = keyAt(self.value, all(self.value), index.value);
      if (key !== undefined) return removeAttribute(self.value, key, notes.replaced);
      const items = itemsIn(self.value);
      const before = [...items];
      const list: Value = { kind: "list", items };
      const remove = context.getAttribute(list, "__delitem__", span);
      context.call(remove, [index], span);
      for (const item of before) if (!items.includes(item)) notes.replaced(item);
      return none;
    },
    pop: ([self, index], context, span) => {
      const last: Argument = { value: { kind: "int", value: -1n }, span };
      const value = itemAt(all(self?.value), (index ?? last).value, context, span);
      const key = self && keyAt(self.value, all(self.value), (index ?? last).value);
      if (self !== undefined && key !== undefined) {
        removeAttribute(self.value, key, notes.replaced);
        return value;
      }
      const items = itemsIn(self?.value);
      notes.replaced(value);
      items.splice(items.indexOf(value), 1);
      return value;
    },
    ...adding(notes.isModule, all),
  };
}

/** The methods that only add items. */
function adding(isModule: ChangeNotes["isModule"], all: All): Methods {
  return {
    insert: ([self, index, item]) => {
      const at = index?.value.kind === "int" ? Number(index.value.value) : 0;
      if (item !== undefined) itemsIn(self?.value).splice(at, 0, item.value);
      return none;
    },
    add_module: ([self, key, item], context, span) => {
      if (self === undefined || item === undefined) return none;
      const count = all(self.value).length;
      const taken = key?.value.kind === "str" ? placeOf(self.value, key.value.value) : undefined;
      if (key !== undefined && taken !== undefined) {
        context.setAttribute(self.value, textOf(key.value) ?? "", item.value, span);
        return none;
      }
      const isNamed = key?.value.kind === "str" && key.value.value !== String(count);
      if (isNamed) context.setAttribute(self.value, key.value.value, item.value, span);
      else addItem(self.value, item.value, isModule);
      return none;
    },
    append: ([self, item]) => {
      if (self !== undefined && item !== undefined) addItem(self.value, item.value, isModule);
      return self?.value ?? none;
    },
    extend: extending(isModule),
    __iadd__: extending(isModule),
  };
}

/** Appends several modules to a list. */
function extending(isModule: (value: Value) => boolean): Methods[string] {
  return ([self, items], context, span) => {
    if (self === undefined || items === undefined) return none;
    for (const item of context.iterate(items.value, span)) addItem(self.value, item, isModule);
    return self.value;
  };
}

function removeAttribute(self: Value, key: string, replaced: (value: Value) => void): Value {
  const before = self.kind === "instance" ? self.attributes.get(key) : undefined;
  if (self.kind === "instance") self.attributes.delete(key);
  if (before !== undefined) replaced(before);
  return none;
}
