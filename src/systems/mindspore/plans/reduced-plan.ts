import { product } from "#core/arithmetic";
import type { Diagnostic, Span } from "#core/diagnostics";
import type { Operand, Operator } from "#core/ir";
import { blockCount, type Layout, type Part } from "#core/mesh";
import { type OperatorPlan, producedLayout, usesIdentifier } from "#core/plan";
import { fieldOf } from "#core/records";
import { reducedLayout } from "../out-strategy.ts";

/**
 * Adds the `out_strategy` to a plan: combined in place, or scattered over the rows; anything else
 * is refused.
 */
export function withReduced(
  operator: Operator,
  plan: OperatorPlan,
  matches: (dims: readonly (readonly Part[])[]) => boolean,
  span: Span,
  diagnostics: Diagnostic[],
): OperatorPlan {
  const [output] = operator.outputs;
  if (output === undefined) return plan;
  const produced = producedLayout(operator, output, plan);
  const contracted = operator.axes
    .filter(({ name, reduction }) => reduction === "+" && !usesIdentifier(output, name))
    .flatMap(({ name }) => fieldOf(plan.strategy.cuts, name) ?? []);
  const reduced = reducedLayout(produced, contracted, matches);
  const uneven = reduced && unevenDim(operator, output, reduced);
  if (uneven !== undefined) {
    diagnostics.push(refuse(span, uneven));
    return plan;
  }
  if (reduced !== undefined) return { ...plan, reduced };
  diagnostics.push(
    refuse(
      span,
      `the out_strategy of "${operator.name}" is neither its result combined in place nor scattered over its rows`,
    ),
  );
  return plan;
}

/** Why a dim of the result cannot be divided as its out_strategy says; `undefined` if all can. */
function unevenDim(operator: Operator, output: Operand, layout: Layout): string | undefined {
  for (const [dim, { parts }] of layout.dims.entries()) {
    const names = output.dims[dim]?.identifiers ?? [];
    const sizes = names.map((name) => operator.axes.find((axis) => axis.name === name)?.size ?? 1);
    const size = product(sizes);
    const pieces = blockCount(parts);
    if (size % pieces !== 0) {
      return `dim ${dim} of "${operator.name}" has ${size} elements, which cannot be divided into ${pieces} equal pieces`;
    }
  }
  return undefined;
}

/** The RuntimeError of MindSpore's compiler for a strategy. */
export function refuse(span: Span, message: string): Diagnostic {
  return {
    code: "mindspore/strategy-refused",
    severity: "error",
    message,
    span,
    upstream: "RuntimeError",
  };
}
