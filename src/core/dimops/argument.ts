import { fieldOf } from "#core/records";
/** Plain data, as JSON has it. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** Whether plain data is a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * One positional argument: a tensor by its shape, or any other value.
 *
 * `name` is for messages; without one they count positions from 0.
 */
export type Argument =
  | { readonly kind: "tensor"; readonly shape: readonly number[]; readonly name?: string }
  | { readonly kind: "plain"; readonly value: Json; readonly name?: string };

/**
 * Arguments passed by name. A float is written as `{ float: 8 }`, because JSON does not distinguish
 * it from an integer.
 */
export type Kwargs = Readonly<Record<string, Json>>;

/** The integer that Python sees in a value; `True` counts as 1. Floats and texts have none. */
export function integerOf(value: Json | undefined): number | undefined {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

/** The float that a value is, as `{ float: 8 }` or as a number with a fraction. */
export function floatOf(value: Json | undefined): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? undefined : value;
  if (typeof value !== "object" || value === null || !("float" in value)) return undefined;
  return typeof value.float === "number" ? value.float : undefined;
}

/** The own value of a keyword argument; `undefined` when it was not passed. */
export function keywordOf(kwargs: Kwargs, name: string): Json | undefined {
  return Object.hasOwn(kwargs, name) ? fieldOf(kwargs, name) : undefined;
}

/** A value as Python would show it, for messages. */
export function describeValue(value: Json): string {
  const float = floatOf(value);
  if (float !== undefined) return Number.isInteger(float) ? `${float}.0` : String(float);
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

/** Name of an argument in messages: its own, or its position. */
export function describeArgument(inputs: readonly Argument[], index: number): string {
  const name = inputs[index]?.name;
  return name === undefined ? `input ${index}` : `"${name}"`;
}
