import type { Diagnostic } from "#core/diagnostics";
import type { Operand, Operator } from "#core/ir";
import type { Plan } from "#core/plan";
import type { Document } from "#language/document";
import { allowedText, type ForbiddingRule, type SystemRules } from "#systems/system";

/** nnScaler's rules that keep dims whole, from its annotations. */
export const nnscalerRules: SystemRules = { behind, ofDim };

function behind(
  { graph }: Document,
  plan: Plan,
  { code, message, span }: Diagnostic,
): ForbiddingRule | undefined {
  if (span === undefined) return undefined;
  switch (code) {
    case "plan/frozen-identifier": {
      const operator = graph.operators.find(({ id }) => {
        const place = plan.operators.get(id)?.span;
        return place?.from === span.from && place.to === span.to;
      });
      return operator && frozenRule(operator, message);
    }
    case "nnscaler/partition-refused": {
      const name = /^"([^"]+)" cannot be partitioned/u.exec(message)?.[1];
      const operator = graph.operators.find(({ op }) => op === name);
      return operator && frozenRule(operator, message);
    }
    default:
      return undefined;
  }
}

/** The rule for the first quoted name in a message that is an identifier of the operator. */
function frozenRule(operator: Operator, message: string): ForbiddingRule | undefined {
  const names = [...message.matchAll(/"([^"]+)"/gu)].map(([, name]) => name ?? "");
  const isKnown = (name: string) =>
    /^\d+$/u.test(name) || operator.axes.some((axis) => axis.name === name);
  const identifier = names.find(isKnown);
  return identifier === undefined ? undefined : annotationRule(operator, identifier);
}

function ofDim(operator: Operator, operand: Operand, dim: number): ForbiddingRule | undefined {
  if (operator.reducesInside || operator.entry !== undefined) return undefined;
  const { identifiers = [] } = operand.dims[dim] ?? {};
  const identifier = identifiers.find((name) => name !== "1") ?? identifiers[0];
  return identifier === undefined ? undefined : annotationRule(operator, identifier);
}

/** The rule that keeps an identifier of an operator whole, by its annotation. */
function annotationRule(operator: Operator, identifier: string): ForbiddingRule | undefined {
  const axis = operator.axes.find(({ name }) => name === identifier);
  const isOwn = operator.entry === undefined;
  const allowed = `${allowedText(operator)}${isOwn ? ", others only by a transform rule" : ""}`;
  const bracket = bracketWith(operator, identifier);
  if (/^\d+$/u.test(identifier)) {
    const rule = `"${identifier}" is a number, which stands for a fixed size and is never cut`;
    return { rule, source: "Dimops, Identifiers", allowed };
  }
  if (bracket !== undefined && bracket.find((name) => name !== "1") !== identifier) {
    const rule = `"${identifier}" is not the first of its bracket "(${bracket.join(" ")})"`;
    return { rule, source: "Dimops, Hidden dimension", allowed };
  }
  if (axis?.reduction !== "^") return undefined;
  const rule = `"^" keeps "${identifier}" whole`;
  return { rule, source: "Dimops, Reductions", allowed };
}

function bracketWith({ inputs, outputs }: Operator, name: string): readonly string[] | undefined {
  const dims = [...inputs, ...outputs].flatMap((operand) => operand.dims);
  const brackets = dims.map(({ identifiers }) => identifiers).filter(({ length }) => length > 1);
  const isLater = (identifiers: readonly string[]) =>
    identifiers.find((each) => each !== "1") !== name && identifiers.includes(name);
  return brackets.find(isLater) ?? brackets.find((identifiers) => identifiers.includes(name));
}
