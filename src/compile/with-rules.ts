import type { Diagnostic } from "#core/diagnostics";
import type { Operand, Operator } from "#core/ir";
import { isSplittable, type Plan } from "#core/plan";
import type { Document } from "#language/document";
import { systems } from "#systems";
import { type ForbiddingRule, ruleSentence } from "#systems/system";

/**
 * Errors about forbidden splits with the rule that forbids them: what it says, the section of the
 * system's document, and what may be split instead.
 */
export function withRules(
  document: Document,
  plan: Plan,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  // The operators of a graph that no program text made follow rules of their own.
  if (document.built.operatorOf.size === 0) return diagnostics;
  return diagnostics.map((diagnostic) => {
    const { severity, span } = diagnostic;
    if (severity !== "error" || span === undefined) return diagnostic;
    const rule = firstRule(({ behind }) => behind(document, plan, diagnostic));
    if (rule === undefined) return diagnostic;
    return { ...diagnostic, message: `${diagnostic.message}. ${ruleSentence(rule)}` };
  });
}

/** The rule that keeps a dim of an operand whole; none where it may be cut. */
export function ruleOfDim(
  operator: Operator,
  operand: Operand,
  dim: number,
): ForbiddingRule | undefined {
  const { splittable } = operand.dims[dim] ?? {};
  if (splittable !== undefined && isSplittable(operator, splittable)) return undefined;
  return firstRule(({ ofDim }) => ofDim(operator, operand, dim));
}

function firstRule(
  of: (rules: NonNullable<(typeof systems)[number]["rules"]>) => ForbiddingRule | undefined,
): ForbiddingRule | undefined {
  for (const { rules } of systems) {
    const rule = rules && of(rules);
    if (rule !== undefined) return rule;
  }
  return undefined;
}
