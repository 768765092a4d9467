// Constructors of Python values from JavaScript ones.

import type { Value } from "./value.ts";

export const none: Value = { kind: "none" };

export function str(value: string): Value {
  return { kind: "str", value };
}

export function bool(value: boolean): Value {
  return { kind: "bool", value };
}

export function int(value: number | bigint): Value {
  return { kind: "int", value: BigInt(value) };
}

export function float(value: number): Value {
  return { kind: "float", value };
}
