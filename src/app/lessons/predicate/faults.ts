// Faults of conditions, and the checks that find them.

import type { Span } from "#core/diagnostics";
import { type Argument, type Expression, type Kind, kindOf, type TermName } from "./expression.ts";
import { collectives } from "./tokens.ts";

/** The fault of a condition, with its span: half-open, in UTF-16 units. */
export interface Fault {
  readonly message: string;
  readonly span: Span;
}

/** Thrown at the first fault, and caught where the parsing of a condition begins. */
export class Stop extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** The error to throw at the first fault. */
export function stop(message: string, span: Span): Stop {
  return new Stop({ message, span });
}

const kindWords: Readonly<Record<Kind, string>> = {
  truth: "true or false",
  number: "a number",
  text: "a text",
};

/** Throws if an expression is not of the wanted kind. */
export function check(expression: Expression, wanted: Kind): void {
  const kind = kindOf(expression);
  if (kind === wanted) return;
  throw stop(`this is ${kindWords[kind]}, not ${kindWords[wanted]}`, expression.span);
}

/** `a tensor, perhaps a kind`: the arguments of a term, in words. */
export function takesWords(takes: readonly string[]): string {
  if (takes.length === 0) return "nothing";
  return takes
    .map((each) => (each.endsWith("?") ? `perhaps a ${each.slice(0, -1)}` : `a ${each}`))
    .join(", ");
}

/** Permitted words per kind of argument. */
const named: Readonly<Record<string, readonly string[]>> = {
  "kind?": collectives,
  "phase?": ["forward", "recompute", "backward", "update"],
  "whole?": ["program", "lines", "machine", "steps"],
};

/** Throws if a term does not take this argument in this position. */
export function checkArgument(
  name: TermName,
  takes: string | undefined,
  { text, span }: Argument,
): void {
  const known = takes === undefined ? undefined : named[takes];
  const isNumber = takes?.startsWith("number") === true;
  const isSound = known?.includes(text) ?? (!isNumber || /^\d{1,6}$/.test(text));
  if (isSound) return;
  throw stop(
    known === undefined ? `${name} takes no "${text}"` : `"${text}" is none of ${known.join(", ")}`,
    span,
  );
}
