// Arguments of a call that follow from tensor sizes (`x.shape[0]`).

import type { Argument, NumberOrigin, Value } from "#language/python";
import { itemsOf } from "./bindings/values/values.ts";
import type { TracedOperator, TracedTensor } from "./trace/traced.ts";

/** The size of a dim that the program asked a tensor for. */
export interface AskedSize {
  readonly tensor: TracedTensor;
  readonly dim: number;
  /** Innermost object whose method asks for the size. */
  readonly receiver?: Value;
}

/**
 * Argument values by parameter, for calls where one of them follows from a tensor size. A list or
 * tuple argument is kept as its items.
 */
export type GivenNumbers = ReadonlyMap<string, readonly Value[]>;

/**
 * Notes the arguments of a call that follow from tensor sizes, keyed by the operator or tensor that
 * the call made.
 */
export function noteNumbers(
  { numbers }: { readonly numbers: Map<TracedOperator | TracedTensor, GivenNumbers> },
  made: TracedOperator | TracedTensor | undefined,
  bound: ReadonlyMap<string, Argument>,
): void {
  if (made === undefined) return;
  let given: Map<string, readonly Value[]> | undefined;
  for (const [name, { value }] of bound) {
    const values = itemsOf(value) ?? [value];
    if (!values.some((each) => originOf(each) !== undefined)) continue;
    given ??= new Map();
    given.set(name, values);
  }
  if (given !== undefined) numbers.set(made, given);
}

/** Tensor dim that a number was read from; `undefined` for other values and for plain numbers. */
export function originOf(value: Value): NumberOrigin | undefined {
  return value.kind === "int" || value.kind === "float" ? value.origin : undefined;
}
