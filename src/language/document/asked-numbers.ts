// Numbers of a program that follow from sizes of its tensors.

import type { Argument, NumberOrigin, Value } from "#language/python";
import { itemsOf } from "./bindings/values/values.ts";
import type { TracedOperator, TracedTensor } from "./trace/traced.ts";

/** The size of a dim that the program asked a tensor for. */
export interface AskedSize {
  readonly tensor: TracedTensor;
  readonly dim: number;
  /** The object whose method asks, the innermost. */
  readonly receiver?: Value;
}

/** The values of arguments by parameter, where one of them follows from a size; a list is one. */
export type GivenNumbers = ReadonlyMap<string, readonly Value[]>;

/** Notes the arguments of a call that follow from sizes of tensors, by what the call made. */
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

/**
 * The place that a number comes from; `undefined` for other values, and for numbers without one.
 */
export function originOf(value: Value): NumberOrigin | undefined {
  return value.kind === "int" || value.kind === "float" ? value.origin : undefined;
}
