import type { Diagnostic, Span } from "#core/diagnostics";
import {
  type Box,
  boxOf,
  isCleanTiling,
  type Projection,
  type SplitEffect,
  splitEffect,
} from "#core/indexspace";
import type { Graph, IndexAxis, Operand, Operator } from "#core/ir";
import {
  blockCount,
  type DimLayout,
  type Layout,
  mergeParts,
  type Part,
  type Partial,
} from "#core/mesh";
import { fieldOf } from "#core/records";
import { innerCuts } from "./inner-cuts.ts";
import type { OperatorPlan, Strategy } from "./plan.ts";

/**
 * The layout in which an operator wants an operand: each dim carries the cuts of its identifier. An
 * operand that is `carried` stays partial over the parts that the strategy carries. A layout that
 * the text forces (`unverified`) is taken as it is.
 */
export function wantedLayout(operand: Operand, plan: OperatorPlan, carried = false): Layout {
  const given = plan.unverified?.layouts?.get(operand.tensor);
  if (given !== undefined) return given;
  const partials = carried ? plan.strategy.carry.map(sumOver) : [];
  return { mesh: plan.mesh, dims: projectedDims(operand, plan), partials };
}

/**
 * The operands through which an operator carries a partial sum: those that are partial over all
 * carried parts, if the operator is linear in exactly them, taken together (architecture.md §1.3).
 * `undefined` when it is not; empty when nothing is carried.
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
  if (innerCuts(operator, plan.strategy).length > 0) return undefined;
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
    if (cut === undefined || usesIdentifier(operand, name)) continue;
    for (const part of cut) if (part.kind === "axis") parts.push(part);
  }
  return parts;
}

/** Whether some dim of an operand has an identifier. */
export function usesIdentifier(operand: Operand, identifier: string): boolean {
  return operand.dims.some((dim) => dim.identifiers.includes(identifier));
}

function projectedDims(
  operand: Operand,
  { strategy, unverified }: OperatorPlan,
): readonly DimLayout[] {
  return operand.dims.map(({ identifiers, splittable }, dim): DimLayout => {
    if (splittable === undefined) return { parts: [], chunks: "flat" };
    const given = fieldOf(unverified?.axes, splittable);
    const own = given ?? cutDim(strategy, splittable, stepOf(operand, dim));
    const behind = identifiers.slice(identifiers.indexOf(splittable) + 1);
    const inner = behind.flatMap((name) => fieldOf(strategy.cuts, name) ?? []);
    return inner.length === 0 ? own : { ...own, parts: mergeParts([...own.parts, ...inner]) };
  });
}

/**
 * The cut of a dim that moves by `step` cells with an index axis. Its pieces have the strategy's
 * lengths; without a step, blocks of the ceiling.
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

/**
 * Cells by which a dim moves per step of its one index axis, where the steps leave no gap;
 * `undefined` for other dims.
 */
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

/** Whether an operator has projections of its operands of its own, beside their dims. */
export function isProjected({ inputs, outputs }: Operator): boolean {
  const isOwn = ({ projection }: Operand) => projection !== undefined;
  return inputs.some(isOwn) || outputs.some(isOwn);
}

/**
 * Whether a projected operator may be cut along an axis alone: every result then comes in
 * consecutive blocks, or in sums if the axis is marked as summed.
 */
export function isCleanAxis(operator: Operator, name: string): boolean {
  const at = operator.axes.findIndex((axis) => axis.name === name);
  const axis = operator.axes[at];
  if (axis === undefined || axis.reduction === "^" || !isMoved(operator, at)) return false;
  return operator.outputs.every((operand) => isFine(effectOn(operator, operand, at), axis));
}

/** The index axes along which a projected operator may be cut. */
function cleanAxes(operator: Operator): readonly string[] {
  return operator.axes.flatMap(({ name }) => (isCleanAxis(operator, name) ? [name] : []));
}

/**
 * Whether all cuts together leave every result in consecutive blocks. They may do so where one axis
 * alone would not, as the inner axis of a merged dim whose outer axis is cut in single indices.
 */
export function tilesOutputs(
  operator: Operator,
  { cuts, sizes = {} }: Pick<Strategy, "cuts" | "sizes">,
): boolean {
  const index = indexBox(operator);
  const isStill = ({ name }: IndexAxis, at: number) =>
    (fieldOf(cuts, name) ?? []).length > 0 && !isMoved(operator, at);
  if (operator.axes.some(isStill)) return false;
  const isSummed = (at: number) => operator.axes[at]?.reduction === "+";
  const lengths = operator.axes.map(({ name, size }) => {
    return fieldOf(sizes, name) ?? pieceLengths(size, fieldOf(cuts, name) ?? []);
  });
  return operator.outputs.every(({ projection = [] }) => {
    const own = lengths.map((list, at) => {
      const isLost = isSummed(at) && splitEffect(projection, index, at).kind === "none";
      return isLost ? [operator.axes[at]?.size ?? 0] : list;
    });
    return isCleanTiling(projection, index, own);
  });
}

/** The fault of a cut of one axis, in the user's names. */
export function tilingFault(
  graph: Graph,
  operator: Operator,
  axis: IndexAxis,
  span: Span | undefined,
): readonly Diagnostic[] {
  const at = operator.axes.indexOf(axis);
  const head = `"${axis.name}" of "${operator.name}" cannot be cut`;
  const free = cleanAxes(operator);
  const allowed =
    free.length === 0
      ? "none of its axes can be"
      : `these can be: ${free.map((name) => `"${name}"`).join(", ")}`;
  const place = span === undefined ? {} : { span };
  if (!isMoved(operator, at)) {
    const message = `${head}: no operand moves with it; ${allowed}`;
    return [{ code: "plan/frozen-identifier", severity: "error", message, ...place }];
  }
  const found = operator.outputs
    .map((operand) => ({ operand, effect: effectOn(operator, operand, at) }))
    .find(({ effect }) => !isFine(effect, axis));
  if (found === undefined) return [];
  const tensor = graph.tensors.find(({ id }) => id === found.operand.tensor);
  const why = reasonOf(found.effect, tensor?.name ?? "", tensor?.dimNames ?? []);
  const code = found.effect.kind === "none" ? "plan/partial-output" : "plan/output-not-tiled";
  return [{ code, severity: "error", message: `${head}: ${why}; ${allowed}`, ...place }];
}

function reasonOf(effect: SplitEffect, name: string, dims: readonly string[]): string {
  const dim = (at: number) => `"${dims[at] ?? at}"`;
  switch (effect.kind) {
    case "none":
      return `"${name}" does not move with it, so that every piece would make the same cells, as partial sums that nothing adds up; split it in two stages, partial results and their sum`;
    case "halo":
      return `neighbouring pieces would both make ${counted(effect.cells)} of ${dim(effect.dim)} of "${name}"`;
    case "gap":
      return `no piece would make ${counted(effect.cells)} of ${dim(effect.dim)} of "${name}" between neighbours`;
    case "diagonal":
      return `it moves ${effect.dims.map(dim).join(" and ")} of "${name}" at once, so that pieces would leave out what is off the diagonal`;
    case "clean":
      return "";
  }
}

function counted(cells: number): string {
  return cells === 1 ? "1 cell" : `${cells} cells`;
}

function isFine({ kind }: SplitEffect, { reduction }: IndexAxis): boolean {
  return kind === "clean" || (kind === "none" && reduction === "+");
}

function effectOn(operator: Operator, { projection = [] }: Operand, axis: number): SplitEffect {
  return splitEffect(projection, indexBox(operator), axis);
}

function isMoved({ inputs, outputs }: Operator, axis: number): boolean {
  const moves = (projection: Projection) =>
    projection.some(({ coefficients }) => (coefficients[axis] ?? 0) !== 0);
  return [...inputs, ...outputs].some(({ projection = [] }) => moves(projection));
}

function indexBox({ axes }: Operator): Box {
  return boxOf(axes.map(({ size }) => size));
}

function pieceLengths(size: number, parts: readonly Part[]): readonly number[] {
  const count = blockCount(parts);
  const chunk = Math.ceil(size / count);
  return Array.from({ length: count }, (_, at) => Math.max(0, Math.min(chunk, size - at * chunk)));
}
