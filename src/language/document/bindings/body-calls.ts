import type { Span } from "#core/diagnostics";
import type { LibraryEntry } from "#core/ir";
import type { Argument, Context, Value } from "#language/python";
import type { TracedTensor } from "../trace/traced.ts";
import { requirePassed } from "./missing-argument.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { type bindArguments, integersOf, itemsOf } from "./values/values.ts";

/**
 * Requires that the body of a registered function passes only readable arguments: leaving one out
 * would change the numbers.
 */
export function requireRead(
  words: TensorCalls,
  [op, entry]: readonly [string, LibraryEntry],
  { bound, extra }: ReturnType<typeof bindArguments>,
  context: Context,
  span: Span,
): void {
  const operands = new Set(entry.parameters.slice(0, entry.tensors));
  const isRead = ([name, { value }]: readonly [string, Argument]) =>
    operands.has(name) ? isOperand(value, (each) => words.tensorOf(each)) : isAttribute(value);
  for (const { value, span: at } of bound.values()) requirePassed(value, context, at);
  const { argumentForms } = words.systems;
  const unread =
    argumentForms.unreadArgument(extra) ?? [...bound].find((pair) => !isRead(pair))?.[0];
  if (unread !== undefined)
    words.refuse(`"${unread}" of ${op}() cannot be read here`, context, span);
  if (entry.name === "dropout") words.refuseNumbers("it draws random numbers", context, span);
}

/** Whether a value can be an operand: a number, a tensor, or a list or tuple of tensors. */
function isOperand(value: Value, tensorOf: (value: Value) => TracedTensor | undefined): boolean {
  if (value.kind === "int" || value.kind === "float") return true;
  return (itemsOf(value) ?? [value]).every((item) => tensorOf(item) !== undefined);
}

const attributeKinds: ReadonlySet<string> = new Set(["int", "float", "bool", "str", "none"]);

/** Whether a value can be recorded as an attribute; None is left out without loss. */
function isAttribute(value: Value): boolean {
  return attributeKinds.has(value.kind) || (integersOf(value)?.length ?? 0) > 0;
}
