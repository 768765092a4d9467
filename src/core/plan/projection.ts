import type { Operand, Operator } from "#core/ir";
import type { DimLayout, Layout, Part, Partial } from "#core/mesh";
import { fieldOf } from "#core/records";
import type { OperatorPlan, Strategy } from "./plan.ts";

/**
 * The layout in which an operator wants an operand: each dim carries the cuts of its identifier.
 * An operand that is `carried` stays partial over the parts that the strategy carries. What the
 * text gives as it is stays so.
 */
export function wantedLayout(operand: Operand, plan: OperatorPlan, carried = false): Layout {
  const given = plan.unverified?.layouts?.get(operand.tensor);
  if (given !== undefined) return given;
  const partials = carried ? plan.strategy.carry.map(sumOver) : [];
  return { mesh: plan.mesh, dims: projectedDims(operand, plan), partials };
}

/**
 * The operands through which an operator carries a partial sum: those that are partial over all
 * carried parts, if the operator is linear in exactly them, taken together (design.md §1, "Partial
 * sums"). `undefined` when it is not; empty when nothing is carried.
 *
 * @param held layouts of the operands by position
 */
export function carriedOperands(
  operator: Operator,
  plan: OperatorPlan,
  held: readonly (Layout | undefined)[],
): readonly number[] | undefined {
  const { carry } = plan.strategy;
  if (carry.length === 0) return [];
  const isPartial = (layout: Layout | undefined) =>
    carry.every((part) =>
      layout?.partials.some((other) => JSON.stringify(other.part) === JSON.stringify(part)),
    );
  const found = held.flatMap((layout, index) => (isPartial(layout) ? [index] : []));
  const isGroup = operator.linear.some((group) => String(group) === String(found));
  return isGroup ? found : undefined;
}

/**
 * The layout in which an operator leaves a result: the projection of its strategy, partial over
 * the parts that cut `+` axes which this result lacks (a sum, unless its parts combine otherwise),
 * and over the parts that it carries. A device combines the pieces that it runs itself.
 */
export function producedLayout(operator: Operator, operand: Operand, plan: OperatorPlan): Layout {
  const given = plan.unverified?.layouts?.get(operand.tensor);
  if (given !== undefined) return given;
  const open = [...summedParts(operator, operand, plan), ...plan.strategy.carry];
  const { combine: reduce = "sum" } = operator;
  const partials = inMeshOrder(open, plan).map((part): Partial => ({ part, reduce }));
  return { mesh: plan.mesh, dims: projectedDims(operand, plan), partials };
}

/** The parts that cut summed axes which a result lacks. */
function summedParts({ axes }: Operator, operand: Operand, { strategy }: OperatorPlan): Part[] {
  const parts: Part[] = [];
  for (const { name, reduction } of axes) {
    const cut = reduction === "+" ? fieldOf(strategy.cuts, name) : undefined;
    if (cut === undefined || mentions(operand, name)) continue;
    for (const part of cut) if (part.kind === "axis") parts.push(part);
  }
  return parts;
}

/** Whether an identifier stands in some dim of an operand. */
export function mentions(operand: Operand, identifier: string): boolean {
  return operand.dims.some((dim) => dim.identifiers.includes(identifier));
}

function projectedDims(
  operand: Operand,
  { strategy, unverified }: OperatorPlan,
): readonly DimLayout[] {
  return operand.dims.map(({ splittable }, dim): DimLayout => {
    if (splittable === undefined) return { parts: [], chunks: "flat" };
    const given = fieldOf(unverified?.axes, splittable);
    return given ?? cutDim(strategy, splittable, stepOf(operand, dim));
  });
}

/**
 * How a dim is cut that moves by `step` cells with an index axis. Lengths of pieces are those of the
 * strategy; without a step they are left to the ceiling.
 */
export function cutDim(
  { cuts, sizes }: Pick<Strategy, "cuts" | "sizes">,
  axis: string,
  step: number | undefined = 1,
): DimLayout {
  const parts = fieldOf(cuts, axis) ?? [];
  const own = parts.length === 0 || step === undefined ? undefined : fieldOf(sizes, axis);
  if (own === undefined) return { parts, chunks: "flat" };
  return { parts, sizes: own.map((length) => length * step), chunks: "flat" };
}

/** By how many cells a dim moves with the one axis that makes it without a gap. */
function stepOf({ projection, range }: Operand, dim: number): number | undefined {
  const row = projection?.[dim];
  if (row === undefined) return projection === undefined ? 1 : undefined;
  const [step, ...others] = row.coefficients.filter((factor) => factor !== 0);
  const isAlone = others.length === 0 && row.offset === 0 && range === undefined;
  return isAlone && step === row.extent ? step : undefined;
}

function sumOver(part: Part): Partial {
  return { part, reduce: "sum" };
}

function inMeshOrder(parts: readonly Part[], plan: OperatorPlan): readonly Part[] {
  if (parts.length < 2) return parts;
  const rank = (part: Part) =>
    part.kind === "axis" ? plan.mesh.axes.findIndex((axis) => axis.name === part.axis) : -1;
  const before = (part: Part) => (part.kind === "axis" ? part.before : 0);
  return [...parts].sort((a, b) => rank(a) - rank(b) || before(a) - before(b));
}
