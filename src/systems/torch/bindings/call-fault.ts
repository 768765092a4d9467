import type { TensorAccess } from "#language/document/bindings";
import type { Value } from "#language/python";

/** What PyTorch raises, and why. */
export type CallFault = readonly [kind: string, message: string];

/** A call by the names of its parameters, as far as its values are known. */
export interface Bound {
  readonly name: string;
  readonly has: (parameter: string) => boolean;
  readonly value: (parameter: string) => Value | undefined;
  /** A tensor that is given, with its shape where that is certain. */
  readonly tensor: (parameter: string) => Given | undefined;
  /** A value that is a tensor. */
  readonly of: (value: Value) => Given | undefined;
}

export interface Given {
  readonly shape: readonly number[] | undefined;
  readonly tensor: TensorAccess["tensor"];
  /** What it holds, where that stands in the text. */
  readonly elements: () => readonly number[] | undefined;
}

export type Check = (call: Bound) => CallFault | undefined;

/** A call whose arguments are looked at as numbers, not as tensors. */
export function ofNumbers(name: string, value: Bound["value"]): Bound {
  const none = () => undefined;
  const has = (parameter: string) => ![undefined, "none"].includes(value(parameter)?.kind);
  return { name, has, value, tensor: none, of: none };
}

/** The fault of the first check that finds one. */
export function every(...checks: readonly Check[]): Check {
  return (call) => {
    for (const check of checks) {
      const fault = check(call);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** The name of the function that a function in place is one of. */
export function plainName(name: string): string {
  return name.replace(/_$/u, "");
}
