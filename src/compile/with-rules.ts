import type { Diagnostic } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import type { Plan } from "#core/plan";
import type { Document } from "#language/document";
import {
  annotationRule,
  type ForbiddingRule,
  mindsporeRule,
  ruleSentence,
} from "./forbidding-rule.ts";

/**
 * Errors about forbidden splits with the rule that forbids them: what it says, the section of the
 * system's document, and what may be split instead.
 */
export function withRules(
  document: Document,
  plan: Plan,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  // The operators of a LoomGraph come from no program text, and follow Loom's own rules.
  if (document.built.operatorOf.size === 0) return diagnostics;
  return diagnostics.map((diagnostic) => {
    const rule = ruleBehind(document, plan, diagnostic);
    if (rule === undefined) return diagnostic;
    return { ...diagnostic, message: `${diagnostic.message}. ${ruleSentence(rule)}` };
  });
}

function ruleBehind(
  document: Document,
  plan: Plan,
  { code, message, severity, span }: Diagnostic,
): ForbiddingRule | undefined {
  if (severity !== "error" || span === undefined) return undefined;
  const isAt = (place: Diagnostic["span"]) => place?.from === span.from && place.to === span.to;
  switch (code) {
    case "mindspore/strategy-refused": {
      if (message.includes("Operator-level Parallelism")) return undefined;
      const found = [...document.built.operatorOf].find(
        ([{ strategy }]) => strategy !== undefined && within(span, strategy.span),
      );
      return found && mindsporeRule(found[1], message);
    }
    case "plan/frozen-identifier": {
      const operator = document.graph.operators.find(({ id }) =>
        isAt(plan.operators.get(id)?.span),
      );
      return operator && frozenRule(operator, message);
    }
    case "nnscaler/partition-refused": {
      const name = /^"([^"]+)" cannot be partitioned/u.exec(message)?.[1];
      const operator = document.graph.operators.find(({ op }) => op === name);
      return operator && frozenRule(operator, message);
    }
    default:
      return undefined;
  }
}

/** The first name in quotes that is an identifier of the operator. */
function frozenRule(operator: Operator, message: string): ForbiddingRule | undefined {
  const names = [...message.matchAll(/"([^"]+)"/gu)].map(([, name]) => name ?? "");
  const isKnown = (name: string) =>
    /^\d+$/u.test(name) || operator.axes.some((axis) => axis.name === name);
  const identifier = names.find(isKnown);
  return identifier === undefined ? undefined : annotationRule(operator, identifier);
}

function within(
  inner: { readonly from: number; readonly to: number },
  outer: { readonly from: number; readonly to: number },
): boolean {
  return inner.from >= outer.from && inner.to <= outer.to;
}
