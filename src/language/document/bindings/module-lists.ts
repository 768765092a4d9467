import type { Span } from "#core/diagnostics";
import {
  type Argument,
  type ClassValue,
  type Context,
  hostClass,
  type Value,
} from "#language/python";
import { type ExpertIndex, isExpertIndex } from "./expert-index.ts";
import { type ListType, sumOf } from "./module-sums.ts";
import { none, textOf } from "./values/values.ts";

type Methods = Parameters<typeof hostClass>[1];

/** The attribute in which a list of modules holds them. */
export const itemsName = "_items";

/** Lists of modules that refuse other items, and the kinds of values that never are modules. */
const ofTorch: ReadonlySet<string> = new Set(["Sequential", "ModuleList"]);
const noModules: ReadonlySet<Value["kind"]> = new Set([
  ...(["list", "tuple", "str", "int", "float", "function", "class"] as const),
]);

/** Whether a value is never a module: a function of a library, called `relu`, is none either. */
const isNoModule = (value: Value) =>
  noModules.has(value.kind) || (value.kind === "host-function" && /^[a-z]/u.test(value.name));

/** Callbacks of module lists: notes of their items, and questions about them. */
interface ListNotes {
  readonly made: (value: Value | undefined) => void;
  readonly replaced: (value: Value) => void;
  readonly isModule: (value: Value) => boolean;
  /** Whether a value is a tensor for certain. */
  readonly isTensor: (value: Value) => boolean;
  /** The value that stands for all of some items, at the index of an expert. */
  readonly ofExperts: (items: readonly Value[]) => Value | undefined;
}

/**
 * The class `ModuleList`, or one like it: a module that holds others in order.
 *
 * @param notes are told of every list that is made, and of items that a list no longer holds
 */
export function listClass(
  name: string,
  base: ClassValue,
  notes: ListNotes,
  more: Methods = {},
): ClassValue {
  const all = (value: Value | undefined) => withAttributes(value, notes.isModule);
  const isSequence = more["construct"] !== undefined;
  const made: ClassValue = hostClass(
    name,
    {
      __init__: ([self, ...items], context, span) => {
        notes.made(self?.value);
        if (self?.value.kind !== "instance") return none;
        const held = listed(items, context, span);
        const taken = name === "Sequential" ? items.map(({ value }) => value) : held;
        const other = taken.find((each) => isNoModule(each) || notes.isTensor(each));
        if (other !== undefined && ofTorch.has(name))
          context.raise(
            "TypeError",
            `${"name" in other ? other.name : notes.isTensor(other) ? "Tensor" : other.kind} is not a Module subclass`,
            span,
          );
        self.value.attributes.set(itemsName, { kind: "list", items: held });
        for (const [key, item] of namedItems(items)) self.value.attributes.set(key, item);
        return none;
      },
      __len__: ([self]) => ({ kind: "int", value: BigInt(all(self?.value).length) }),
      __getitem__: ([self, index], context, span) =>
        isExpertIndex(index?.value)
          ? expertAt(all(self?.value), index.value, notes.ofExperts, context, span)
          : index?.value.kind === "slice"
            ? sliceOf({ type: made, isSequence }, all(self?.value), index, context)
            : itemAt(all(self?.value), index?.value, context, span),
      __iter__: ([self]) => iteratorOver(all(self?.value)),
      __setattr__: ([self, key, item], context, span) => {
        if (self === undefined || key === undefined || item === undefined) return none;
        const at = key.value.kind === "str" ? placeOf(self.value, key.value.value) : undefined;
        if (at === undefined || !notes.isModule(item.value)) {
          const above: Value = { kind: "super", after: made, self: self.value };
          return context.call(context.getAttribute(above, "__setattr__", span), [key, item], span);
        }
        const before = setItem(itemsIn(self.value), at, item.value);
        if (before !== undefined) notes.replaced(before);
        return none;
      },
      ...changing(notes, all),
      ...(ofTorch.has(name) && summing(isSequence, () => made, notes)),
      ...more,
    },
    [base],
  );
  return made;
}

/** The methods by which a list takes items and gives them away. */
function changing(
  notes: Pick<ListNotes, "replaced" | "isModule">,
  all: (value: Value | undefined) => readonly Value[],
): Methods {
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
      else addItem(self.value, item.value, notes.isModule);
      return none;
    },
    append: ([self, item]) => {
      if (self !== undefined && item !== undefined) addItem(self.value, item.value, notes.isModule);
      return self?.value ?? none;
    },
    extend: extending(notes.isModule),
    __iadd__: extending(notes.isModule),
  };
}

/** Sums of lists and multiples of sequences. */
function summing(isSequence: boolean, type: () => ClassValue, notes: ListNotes): Methods {
  const { isModule } = notes;
  const all = (value: Value | undefined) => withAttributes(value, isModule);
  const add = (self: Value, item: Value) => addItem(self, item, isModule);
  const names = ["__add__", "__iadd__", "__mul__", "__rmul__", "__imul__"] as const;
  return Object.fromEntries(
    (isSequence ? names : names.slice(0, 1)).map((name) => [
      name,
      (...call) => sumOf(name, { type: type(), isSequence, all, add }, ...call),
    ]),
  );
}

/** A list with more modules behind its own. */
function extending(isModule: (value: Value) => boolean): Methods[string] {
  return ([self, items], context, span) => {
    if (self === undefined || items === undefined) return none;
    for (const item of context.iterate(items.value, span)) addItem(self.value, item, isModule);
    return self.value;
  };
}

/** Puts an item behind the others: under its number, where those before it have names. */
function addItem(self: Value, item: Value, isModule: (value: Value) => boolean): void {
  const [items, all] = [itemsIn(self), withAttributes(self, isModule)];
  if (self.kind === "instance" && all.length > items.length)
    self.attributes.set(String(all.length), item);
  else items.push(item);
}

/** The name of the item at an index, where it has one: `Sequential(OrderedDict(…))[0]`. */
function keyAt(self: Value, all: readonly Value[], index: Value | undefined): string | undefined {
  if (self.kind !== "instance" || index?.kind !== "int") return undefined;
  const item = all.at(Number(index.value));
  if (item === undefined || itemsIn(self).includes(item)) return undefined;
  return [...self.attributes].find(([, value]) => value === item)?.[0];
}

function removeAttribute(self: Value, key: string, replaced: (value: Value) => void): Value {
  const before = self.kind === "instance" ? self.attributes.get(key) : undefined;
  if (self.kind === "instance") self.attributes.delete(key);
  if (before !== undefined) replaced(before);
  return none;
}

/** Runs the modules of a list one after the other. */
export function callSequence(
  isModule: (value: Value) => boolean,
): (args: readonly Argument[], context: Context, span: Span) => Value {
  return ([self, first, ...rest], context, span) => {
    if (self === undefined || first === undefined) return none;
    const [head, ...tail] = withAttributes(self.value, isModule);
    const start = head === undefined ? first.value : context.call(head, [first, ...rest], span);
    return tail.reduce((value, item) => context.call(item, [{ value, span }], span), start);
  };
}

/** The item of a list under its name, which is its number: `getattr(sequence, "0")`. */
export function itemNamed(self: Value, name: string): Value | undefined {
  const at = placeOf(self, name);
  return at?.kind === "int" ? itemsIn(self)[Number(at.value)] : undefined;
}

/** The index that the name of an item is: the children of a list are called by their numbers. */
function placeOf(self: Value, name: string): Value | undefined {
  const at = /^(?:0|[1-9]\d*)$/u.test(name) ? Number(name) : undefined;
  if (at === undefined || at >= itemsIn(self).length) return undefined;
  return { kind: "int", value: BigInt(at) };
}

/** Puts an item in the place of another, and gives that back. */
function setItem(items: Value[], index: Value | undefined, item: Value): Value | undefined {
  const at = index?.kind === "int" ? Number(index.value) : undefined;
  if (at === undefined) return undefined;
  const before = items.at(at);
  items[at < 0 ? at + items.length : at] = item;
  return before;
}

/**
 * The modules of a list in order. One that the text sets as an attribute stands behind those that
 * are there already, as the `_modules` of a `Module` have it.
 */
function withAttributes(
  value: Value | undefined,
  isModule: (value: Value) => boolean,
): readonly Value[] {
  const items = itemsIn(value);
  const attributes = value?.kind === "instance" ? [...value.attributes.values()] : [];
  const others = attributes.filter((each) => isModule(each) && !items.includes(each));
  return others.length === 0 ? items : [...items, ...others];
}

function itemsIn(value: Value | undefined): Value[] {
  const items = value?.kind === "instance" ? value.attributes.get(itemsName) : undefined;
  return items?.kind === "list" ? items.items : [];
}

/** `Sequential(a, b)` and `ModuleList([a, b])`; those of an ordered dict stand under their names. */
function listed(args: readonly Argument[], context: Context, span: Span): Value[] {
  const [only] = args;
  if (args.length !== 1 || only === undefined) return args.map(({ value }) => value);
  const dict = dictIn(only.value);
  if (dict !== undefined) return [];
  const isMany = only.value.kind !== "instance" && only.value.kind !== "host";
  return isMany ? [...context.iterate(only.value, span)] : [only.value];
}

/** A dict, or an ordered one. */
function dictIn(value: Value): Extract<Value, { kind: "dict" }> | undefined {
  const inner = value.kind === "instance" ? value.native : value;
  return inner?.kind === "dict" ? inner : undefined;
}

/** The modules of `Sequential(OrderedDict(…))` by their names. */
function namedItems([only]: readonly Argument[]): readonly (readonly [string, Value])[] {
  const dict = only === undefined ? undefined : dictIn(only.value);
  return [...(dict?.entries.values() ?? [])].flatMap(({ key, value }) =>
    key.kind === "str" ? [[key.value, value] as const] : [],
  );
}

/** A slice of a list of modules is a list of the same kind. */
function sliceOf(
  { type, isSequence }: ListType,
  items: readonly Value[],
  index: Argument,
  context: Context,
): Value {
  const { span } = index;
  const list: Value = { kind: "list", items: [...items] };
  const taken = context.call(context.getAttribute(list, "__getitem__", span), [index], span);
  if (taken.kind !== "list") return taken;
  const given = isSequence ? taken.items : [taken];
  return context.call(
    type,
    given.map((value) => ({ value, span })),
    span,
  );
}

function itemAt(
  items: readonly Value[],
  index: Value | undefined,
  context: Context,
  span: Span,
): Value {
  const found = index?.kind === "int" ? items.at(Number(index.value)) : undefined;
  return found ?? context.raise("IndexError", "index out of range", span);
}

/** The experts of a list as one. */
function expertAt(
  items: readonly Value[],
  { data: { start, experts } }: ExpertIndex,
  ofExperts: (items: readonly Value[]) => Value | undefined,
  context: Context,
  span: Span,
): Value {
  const own = ofExperts(items.slice(start, start + experts));
  return (
    own ??
    context.raise("NotImplementedError", "experts of different shapes are not read as one", span)
  );
}

function iteratorOver(items: readonly Value[]): Value {
  let next = 0;
  return { kind: "iterator", name: "iterator", advance: () => items[next++] };
}
