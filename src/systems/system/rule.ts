import { type Diagnostic, joinWithAnd } from "#core/diagnostics";
import type { Operand, Operator } from "#core/ir";
import { type Plan, splittableAxes } from "#core/plan";
import type { Document } from "#language/document";

/** A rule of a system that forbids a split: its text, its source, and what it allows instead. */
export interface ForbiddingRule {
  readonly rule: string;
  /** Document of the system, and its section. */
  readonly source: string;
  readonly allowed: string;
}

/** The rules by which a system forbids splits. */
export interface SystemRules {
  /** The rule behind an error with a span; `undefined` if no rule of the system causes it. */
  readonly behind: (
    document: Document,
    plan: Plan,
    diagnostic: Diagnostic,
  ) => ForbiddingRule | undefined;
  /** The rule that forbids cutting a dim of an operand; `undefined` if the dim can be cut. */
  readonly ofDim: (operator: Operator, operand: Operand, dim: number) => ForbiddingRule | undefined;
}

/** The rule as one sentence, to append to an error. */
export function ruleSentence({ rule, source, allowed }: ForbiddingRule): string {
  return `${rule} (${source}): ${allowed}.`;
}

/** Sentence on which identifiers of an operator may be split: `"m" and "n" of "y" may be split`. */
export function allowedText(operator: Operator): string {
  const names = splittableAxes(operator);
  const quoted = names.map((name) => `"${name}"`);
  if (quoted.length === 0) return `no dim of "${operator.name}" may be split`;
  return `${joinWithAnd(quoted)} of "${operator.name}" may be split`;
}
