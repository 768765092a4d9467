import type { Span } from "#core/diagnostics";
import { isBoolean, type TensorBindings } from "#language/document/bindings";
import { integer, itemsOf, none, text } from "#language/document/bindings/values";
import type { TracedTensor } from "#language/document/trace";
import type { Context, Value } from "#language/python";

/** Services for reading subscripts of tensors. */
export interface SubscriptParts {
  readonly tensors: Pick<TensorBindings, "tensorOf">;
  /** A helper function by name, from the Python texts that compose primitives. */
  readonly named: (name: string, context: Context) => Value | undefined;
  /** Whether a net of the program is running. */
  readonly isRunning: () => boolean;
}

/** A key in the form that the Python texts take: its kind, and its value. */
interface Key {
  readonly kind: "int" | "slice" | "none" | "all" | "bool" | "list" | "tensor" | "mask";
  readonly held: Value;
}

/** `x[key]`; `undefined` for a key that the generic reading handles. */
export function itemOf(
  parts: SubscriptParts,
  tensor: TracedTensor,
  self: Value,
  key: Value,
  context: Context,
  span: Span,
): Value | undefined {
  if (tensor.isUnknown === true || tensor.shape === undefined) return undefined;
  const call = (name: string, ...given: readonly Value[]) => {
    const found = parts.named(name, context);
    const placed = [self, ...given].map((value) => ({ value, span }));
    return found && context.call(found, placed, span);
  };
  const keys = keysOf(parts, key);
  if (keys === undefined) return undefined;
  const [first] = keys;
  const isAlone = key.kind !== "tuple" && !isNested(key);
  if (isAlone && first?.kind === "tensor")
    return rankOf(parts, first.held) > 0 ? call("_rows", first.held) : undefined;
  if (isAlone && first?.kind === "list") return call("_item_of_list", first.held);
  if (keys.some(({ kind }) => kind === "bool" || kind === "mask")) return undefined;
  if (keys.every((each) => isPlain(each))) {
    const places: Value = { kind: "list", items: keys.map(asPlain) };
    return call("_item", places, { kind: "bool", value: isAlone });
  }
  if (keys.every((each) => isPlain(each) || rankOf(parts, each.held) === 0)) return undefined;
  return call("_picked", asPairs(keys.map((each) => listedPlaces(parts, each))));
}

/** Turns a one-dim index tensor that is known at compile time into a list key. */
function listedPlaces(parts: SubscriptParts, key: Key): Key {
  const tensor = key.kind === "tensor" ? parts.tensors.tensorOf(key.held) : undefined;
  const numbers = tensor && heldNumbers(tensor);
  if (numbers === undefined) return key;
  return { kind: "list", held: { kind: "list", items: numbers.map((each) => integer(each)) } };
}

/** The elements of a one-dim constant; `undefined` for other tensors. */
function heldNumbers(tensor: TracedTensor): readonly number[] | undefined {
  const { constant, shape } = tensor;
  const [size] = shape ?? [];
  if (!isHeld(tensor) || shape?.length !== 1 || typeof size !== "number") return undefined;
  if (constant === undefined) return undefined;
  if (constant.kind === "data") return constant.values;
  const { start, step } = constant.kind === "row" ? constant : { start: constant.value, step: 0 };
  return Array.from({ length: size }, (_, at) => start + step * at);
}

/** Whether two or more keys are constant tensors: which of them the compiler folds is not known. */
function areSeveralConstants(parts: SubscriptParts, keys: readonly Key[]): boolean {
  const held = keys.filter(({ kind, held: value }) => {
    const tensor = kind === "tensor" ? parts.tensors.tensorOf(value) : undefined;
    return tensor !== undefined && isHeld(tensor);
  });
  return held.length > 1;
}

/** Whether a tensor is made from numbers and was not fed to a net. */
function isHeld({ producer, role, fed }: TracedTensor): boolean {
  return producer === undefined && role === "input" && fed === undefined;
}

/**
 * `x[key] = value` in a net: the tensor that the name refers to afterwards; `undefined` for keys or
 * values left to the generic reading.
 */
export function itemSet(
  parts: SubscriptParts,
  tensor: TracedTensor,
  self: Value,
  [key, given]: readonly [Value, Value],
  context: Context,
  span: Span,
): Value | undefined {
  const isKnown = tensor.isUnknown !== true && tensor.shape !== undefined;
  const value = settable(parts, given);
  if (!parts.isRunning() || !isKnown || value === undefined) return undefined;
  const keys = keysOf(parts, key);
  const isAlone = key.kind !== "tuple" && !isNested(key);
  if (keys === undefined) return undefined;
  const isOdd = keys.some(({ kind }) => kind === "bool" || kind === "mask");
  if ((isOdd && !isAlone) || areSeveralConstants(parts, keys)) return undefined;
  // Other assignments to a parameter take effect inside the graph only; its later value is not
  // known here.
  const isWritten = keys.every(({ kind }) => /^(int|list|tensor)$/u.test(kind)) || !isAlone;
  if (tensor.role === "parameter" && !isWritten) return undefined;
  const setting = parts.named("_set_item", context);
  const placed = [self, asPairs(keys), { kind: "bool", value: isAlone } as const, value];
  return (
    setting &&
    context.call(
      setting,
      placed.map((each) => ({ value: each, span })),
      span,
    )
  );
}

/**
 * The assigned value, if it is a number, a tensor of known shape, or a list of numbers; else
 * `undefined`.
 */
function settable(parts: SubscriptParts, value: Value): Value | undefined {
  if (value.kind === "bool") return integer(value.value ? 1 : 0);
  if (value.kind === "int" || value.kind === "float") return value;
  const items = itemsOf(value);
  if (items !== undefined) {
    const areNumbers = items.every(({ kind }) => kind === "int" || kind === "float");
    return areNumbers && items.length > 0 ? value : undefined;
  }
  const tensor = parts.tensors.tensorOf(value);
  return tensor?.shape !== undefined && tensor.isUnknown !== true ? value : undefined;
}

/** The keys of a subscript; `undefined` if a key is of an unknown kind. */
function keysOf(parts: SubscriptParts, key: Value): readonly Key[] | undefined {
  const items = key.kind === "tuple" || isNested(key) ? (itemsOf(key) ?? []) : [key];
  const isAlone = items[0] === key;
  const keys = items.map((item) => keyOf(parts, item, isAlone));
  return keys.every((each) => each !== undefined) ? keys : undefined;
}

/** Whether a list contains anything but integers or bools: 2.10 reads such a list as a tuple. */
function isNested(key: Value): boolean {
  return key.kind === "list" && key.items.some(({ kind }) => kind !== "int" && kind !== "bool");
}

function keyOf(parts: SubscriptParts, key: Value, isAlone: boolean): Key | undefined {
  if (key.kind === "int" || key.kind === "bool") return { kind: key.kind, held: key };
  if (key.kind === "none") return { kind: "none", held: none };
  if (key.kind === "ellipsis") return { kind: "all", held: none };
  if (key.kind === "slice") {
    const ends = [key.start, key.stop, key.step];
    const isPlaced = ends.every(({ kind }) => kind === "none" || kind === "int");
    return isPlaced ? { kind: "slice", held: { kind: "tuple", items: ends } } : undefined;
  }
  if (key.kind === "list" && isAlone && key.items.every(({ kind }) => kind === "bool"))
    return key.items.length === 0 ? undefined : { kind: "mask", held: key };
  if (key.kind === "list" || key.kind === "tuple") {
    return isOfNumbers(key) ? { kind: "list", held: asList(key) } : undefined;
  }
  const tensor = parts.tensors.tensorOf(key);
  if (tensor?.shape === undefined || tensor.isUnknown === true) return undefined;
  if (isBoolean(tensor)) return { kind: "mask", held: key };
  if (!/^i(8|16|32|64)$/u.test(tensor.dtype ?? "")) return undefined;
  return (isAlone ? undefined : heldPlaces(tensor)) ?? { kind: "tensor", held: key };
}

/** The index that a constant tensor without dims holds at compile time, as an integer key. */
function heldPlaces(tensor: TracedTensor): Key | undefined {
  const { constant, shape } = tensor;
  if (!isHeld(tensor) || shape?.length !== 0 || constant?.kind !== "fill") return undefined;
  return { kind: "int", held: integer(constant.value) };
}

/** Whether a list consists of integers, or of such lists of equal length. */
function isOfNumbers(value: Value): boolean {
  const items = itemsOf(value) ?? [];
  if (items.length === 0) return false;
  if (items.every(({ kind }) => kind === "int")) return true;
  const lengths = new Set(items.map((item) => itemsOf(item)?.length));
  return lengths.size === 1 && !lengths.has(undefined) && items.every(isOfNumbers);
}

function asList(value: Value): Value {
  const items = itemsOf(value);
  return items === undefined ? value : { kind: "list", items: items.map(asList) };
}

function rankOf({ tensors }: SubscriptParts, value: Value): number {
  if (value.kind === "list") return 1;
  return tensors.tensorOf(value)?.shape?.length ?? 0;
}

function isPlain({ kind }: Key): boolean {
  return kind === "int" || kind === "slice" || kind === "none" || kind === "all";
}

/**
 * A slice as the tuple of its parts, `...` as a string: forms that the Python texts can test by
 * type.
 */
function asPlain({ kind, held }: Key): Value {
  return kind === "all" ? text("...") : held;
}

function asPairs(keys: readonly Key[]): Value {
  const items = keys.map(({ kind, held }): Value => ({ kind: "tuple", items: [text(kind), held] }));
  return { kind: "list", items };
}
