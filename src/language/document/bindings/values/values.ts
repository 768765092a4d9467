import type { Span } from "#core/diagnostics";
import type { Argument, HostFunction, ModuleValue, SpanTree, Value } from "#language/python";
import type { WrittenAxes } from "../../trace/written-layouts.ts";

/** A Python integer as a number; `undefined` of anything else, booleans included. */
export function integerOf(value: Value | undefined): number | undefined {
  return value?.kind === "int" ? Number(value.value) : undefined;
}

/** A Python number, with `True` as 1; `undefined` for other values. */
export function numberOf(value: Value | undefined): number | undefined {
  if (value?.kind === "int" || value?.kind === "float") return Number(value.value);
  return value?.kind === "bool" ? Number(value.value) : undefined;
}

/** A Python string as a text; `undefined` of anything else. */
export function textOf(value: Value | undefined): string | undefined {
  return value?.kind === "str" ? value.value : undefined;
}

/** The items of a tuple or list; `undefined` of anything else. */
export function itemsOf(value: Value | undefined): readonly Value[] | undefined {
  return value?.kind === "tuple" || value?.kind === "list" ? value.items : undefined;
}

/** The numbers of a tuple or list of integers; `undefined` of anything else. */
export function integersOf(value: Value | undefined): readonly number[] | undefined {
  const numbers = itemsOf(value)?.map(integerOf);
  return numbers?.every((number) => number !== undefined) ? numbers : undefined;
}

/** Numbers of nested lists in row-major order; `undefined` for each other item. */
export function numbersIn(value: Value | undefined): readonly (number | undefined)[] {
  return itemsOf(value)?.flatMap(numbersIn) ?? [numberOf(value)];
}

/**
 * Mesh axes in an entry of a layout: an axis name, a tuple of names (outermost first), `"None"` or
 * `None`, each with its span. `undefined` for other values.
 */
export function axesOf(
  value: Value,
  tree: SpanTree | undefined,
  span: Span,
): WrittenAxes | undefined {
  if (value.kind === "none") return { axes: [], span };
  const single = textOf(value);
  if (single !== undefined) return { axes: named(single, tree?.span ?? span), span };
  const items = itemsOf(value);
  const names = items?.map(textOf);
  if (names === undefined || !names.every((name) => name !== undefined)) return undefined;
  return {
    axes: names.flatMap((name, index) => named(name, tree?.items[index]?.span ?? span)),
    span,
  };
}

function named(name: string, span: Span): WrittenAxes["axes"] {
  return name === "None" ? [] : [{ name, span }];
}

/**
 * Binds arguments to parameter names, by position or by name. `extra` holds arguments without a
 * parameter, or whose parameter is already bound.
 */
export function bindArguments(
  names: readonly string[],
  args: readonly Argument[],
): { readonly bound: ReadonlyMap<string, Argument>; readonly extra: readonly Argument[] } {
  const bound = new Map<string, Argument>();
  const extra: Argument[] = [];
  let position = 0;
  for (const argument of args) {
    const name = argument.name ?? names[position++];
    if (name === undefined || bound.has(name) || !names.includes(name)) extra.push(argument);
    else bound.set(name, argument);
  }
  return { bound, extra };
}

/** Python's `None`. */
export const none: Value = { kind: "none" };

/** An integer as a Python value. */
export function integer(value: number): Value {
  return { kind: "int", value: BigInt(value) };
}

/** A number as a Python float. */
export function float(value: number): Value {
  return { kind: "float", value };
}

/** A text as a Python string. */
export function text(value: string): Value {
  return { kind: "str", value };
}

/** A Python tuple. */
export function tuple(items: readonly Value[]): Value {
  return { kind: "tuple", items };
}

/**
 * A module of the host.
 *
 * @param attribute the value of a name; `undefined` raises AttributeError
 * @param names the names that `from module import *` binds; unknown when absent
 */
export function namespace(
  name: string,
  attribute: (name: string) => Value | undefined,
  names?: readonly string[],
): ModuleValue {
  return { kind: "module", name, attribute, ...(names !== undefined && { names }) };
}

/** A Python function implemented by the host. */
export function hostFunction(name: string, call: HostFunction["call"]): HostFunction {
  return { kind: "host-function", name, call };
}

/** A Python function that returns its first argument. */
export function passedOn(name: string): HostFunction {
  return hostFunction(name, ([first]) => first?.value ?? none);
}
