import type { Span } from "#core/diagnostics";
import { none } from "#language/document/bindings/values";
import { type Argument, type Context, hostClass, type Value } from "#language/python";
import type { ParallelRecord } from "./record.ts";

/** Reports once that a function, or one of its arguments, is not read, and the consequence. */
export function sayNotRead(
  record: ParallelRecord,
  word: string,
  then: string,
  context: Context,
  span: Span,
): void {
  if (!record.isNews(`not read: ${word}`)) return;
  context.report({
    code: "torch/not-read",
    severity: "warning",
    message: `${word} is not read: ${then}`,
    span,
  });
}

/** Says of the arguments of a word that it does not take, or that change nothing here. */
export function sayUnread(
  record: ParallelRecord,
  word: string,
  extra: readonly Argument[],
  context: Context,
): void {
  for (const { name, span, nameSpan } of extra) {
    const argument = name === undefined ? `an argument of ${word}` : `"${name}" of ${word}`;
    sayNotRead(
      record,
      argument,
      "the board shows the program without it",
      context,
      nameSpan ?? span,
    );
  }
}

/** A boolean of Python; `undefined` of anything else. */
export function flagOf(argument: Argument | undefined): boolean | undefined {
  return argument?.value.kind === "bool" ? argument.value.value : undefined;
}

const idleClass = hostClass("context", { __enter__: () => none, __exit__: () => none });

/** A context in which nothing is different. */
export function idleContext(): Value {
  return { kind: "instance", type: idleClass, attributes: new Map() };
}
