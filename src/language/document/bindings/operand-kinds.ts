import type { Span } from "#core/diagnostics";
import type { LibraryEntry } from "#core/ir";
import type { Context, Value } from "#language/python";
import type { PlainOperand, TracedTensor } from "../trace.ts";

/** What never stands for a tensor, by its kind, and what Python calls it. */
const otherKinds: ReadonlyMap<Value["kind"], string> = new Map([
  ["function", "function"],
  ["host-function", "builtin_function_or_method"],
  ["method", "method"],
  ["class", "type"],
  ["module", "module"],
  ["dict", "dict"],
  ["set", "set"],
  ["slice", "slice"],
]);

/**
 * Refuses a call of a library operator whose tensors are something else: functions, modules and the
 * like anywhere, and anything where none of its operands is a tensor. Raises `TypeError`.
 */
export function requireTensors(
  op: string,
  { parameters }: LibraryEntry,
  values: readonly Value[],
  operands: readonly (TracedTensor | PlainOperand)[],
  context: Context,
  span: Span,
): void {
  if (operands.length === 0 || values.some(({ kind }) => kind === "unknown")) return;
  const isOther = values.findIndex(({ kind }) => otherKinds.has(kind));
  const at = isOther < 0 && operands.every(({ kind }) => kind === "plain") ? 0 : isOther;
  const value = values[at];
  if (value === undefined) return;
  const kind = value.kind === "none" ? "NoneType" : (otherKinds.get(value.kind) ?? value.kind);
  const name = parameters[at] ?? parameters.at(-1) ?? "x";
  context.raise("TypeError", `${op}(): argument "${name}" must be a tensor, not ${kind}`, span);
}
