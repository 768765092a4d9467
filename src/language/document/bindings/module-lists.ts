import type { Span } from "#core/diagnostics";
import {
  type Argument,
  type ClassValue,
  type Context,
  hostClass,
  type Value,
} from "#language/python";
import { type ExpertIndex, isExpertIndex } from "./expert-index.ts";
import { changing } from "./list-changes.ts";
import {
  addItem,
  itemAt,
  itemsIn,
  itemsName,
  placeOf,
  setItem,
  withAttributes,
} from "./list-items.ts";
import { type ListType, sumOf } from "./module-sums.ts";
import { none } from "./values/values.ts";

type Methods = Parameters<typeof hostClass>[1];

/**
 * Module lists that refuse items other than modules; and below, kinds of values that are never
 * modules.
 */
const ofTorch: ReadonlySet<string> = new Set(["Sequential", "ModuleList"]);
const noModules: ReadonlySet<Value["kind"]> = new Set([
  ...(["list", "tuple", "str", "int", "float", "function", "class"] as const),
]);

/**
 * Whether a value is never a module. A library function with a lower-case name, such as `relu`, is
 * no module either.
 */
const isNoModule = (value: Value) =>
  noModules.has(value.kind) || (value.kind === "host-function" && /^[a-z]/u.test(value.name));

/** Callbacks of module lists about their items. */
interface ListNotes {
  readonly made: (value: Value | undefined) => void;
  readonly replaced: (value: Value) => void;
  readonly isModule: (value: Value) => boolean;
  /** Whether a value is certainly a tensor. */
  readonly isTensor: (value: Value) => boolean;
  /**
   * The single value that stands for several expert modules, indexed by an expert; `undefined` if
   * they differ in shape.
   */
  readonly ofExperts: (items: readonly Value[]) => Value | undefined;
}

/**
 * A `ModuleList`-like class: a module that holds modules in order.
 * @param notes told of every new list and of each item that leaves a list
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
        if (name === "ModuleList" && items.length > 1) {
          const message = `ModuleList.__init__() takes from 1 to 2 positional arguments but ${items.length + 1} were given`;
          context.raise("TypeError", message, span);
        }
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

/**
 * Operators of the lists in `ofTorch`: `+` of both classes; `*` and the in-place forms of
 * `Sequential` only.
 */
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

/**
 * Numbered items of `Sequential(a, b)` or `ModuleList([a, b])`; none for an ordered dict, whose
 * items are stored by name.
 */
function listed(args: readonly Argument[], context: Context, span: Span): Value[] {
  const [only] = args;
  if (args.length !== 1 || only === undefined) return args.map(({ value }) => value);
  const dict = dictIn(only.value);
  if (dict !== undefined) return [];
  const isMany = only.value.kind !== "instance" && only.value.kind !== "host";
  return isMany ? [...context.iterate(only.value, span)] : [only.value];
}

/** The dict behind a `dict` or `OrderedDict` value. */
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

/** A slice of a module list, as a list of the same class. */
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

/** The modules of a list at an expert index, as one module. */
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
