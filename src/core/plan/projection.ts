import type { Operand, Operator } from "#core/ir";
import type { DimLayout, Layout, Part, Partial } from "#core/mesh";
import type { OperatorPlan, Strategy } from "./plan.ts";

/** The layout in which an operator wants an operand: each dim carries the cuts of its identifier. */
export function wantedLayout(operand: Operand, plan: OperatorPlan): Layout {
  return { mesh: plan.mesh, dims: projectedDims(operand, plan.strategy), partials: [] };
}

/**
 * The layout in which an operator leaves a result: the projection of its strategy, partial over
 * the parts that cut `+` axes which this result lacks, and over the parts that it carries.
 */
export function producedLayout(operator: Operator, operand: Operand, plan: OperatorPlan): Layout {
  const summed = operator.axes
    .filter((axis) => axis.reduction === "+" && !mentions(operand, axis.name))
    .flatMap((axis) => plan.strategy.cuts[axis.name] ?? []);
  return {
    mesh: plan.mesh,
    dims: projectedDims(operand, plan.strategy),
    partials: inMeshOrder([...summed, ...plan.strategy.carry], plan).map(sumOver),
  };
}

/** Whether an identifier stands in some dim of an operand. */
export function mentions(operand: Operand, identifier: string): boolean {
  return operand.dims.some((dim) => dim.identifiers.includes(identifier));
}

function projectedDims(operand: Operand, strategy: Strategy): readonly DimLayout[] {
  return operand.dims.map((dim) => ({
    parts: dim.splittable === undefined ? [] : (strategy.cuts[dim.splittable] ?? []),
    chunks: "flat",
  }));
}

function sumOver(part: Part): Partial {
  return { part, reduce: "sum" };
}

function inMeshOrder(parts: readonly Part[], plan: OperatorPlan): readonly Part[] {
  const rank = (part: Part) =>
    part.kind === "axis" ? plan.mesh.axes.findIndex((axis) => axis.name === part.axis) : -1;
  const before = (part: Part) => (part.kind === "axis" ? part.before : 0);
  return [...parts].sort((a, b) => rank(a) - rank(b) || before(a) - before(b));
}
