import type { Diagnostic } from "#core/diagnostics";
import type { Operand, Operator } from "#core/ir";
import { type Plan, splittableAxes } from "#core/plan";
import type { Document } from "#language/document";

/** A rule of a system that forbids a split: what it says, where it stands, what it leaves open. */
export interface ForbiddingRule {
  readonly rule: string;
  /** The document of the system, and the section. */
  readonly source: string;
  readonly allowed: string;
}

/** The rules by which a system forbids splits. */
export interface SystemRules {
  /** The rule behind an error that has a place in the text; nothing of errors of others. */
  readonly behind: (
    document: Document,
    plan: Plan,
    diagnostic: Diagnostic,
  ) => ForbiddingRule | undefined;
  /** The rule that keeps a dim of an operand whole, which nothing may cut. */
  readonly ofDim: (operator: Operator, operand: Operand, dim: number) => ForbiddingRule | undefined;
}

/** The rule as one sentence, to stand behind what went wrong. */
export function ruleSentence({ rule, source, allowed }: ForbiddingRule): string {
  return `${rule} (${source}): ${allowed}.`;
}

/** `"m" and "n" of "y" may be split`. */
export function allowedText(operator: Operator): string {
  const names = splittableAxes(operator);
  const quoted = names.map((name) => `"${name}"`);
  if (quoted.length === 0) return `no dim of "${operator.name}" may be split`;
  const last = quoted.at(-1);
  const list = quoted.length === 1 ? last : `${quoted.slice(0, -1).join(", ")} and ${last}`;
  return `${list} of "${operator.name}" may be split`;
}
