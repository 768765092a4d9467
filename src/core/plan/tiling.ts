import type { Diagnostic, Span } from "#core/diagnostics";
import {
  type Box,
  boxOf,
  type Projection,
  type SplitEffect,
  splitEffect,
  tile,
} from "#core/indexspace";
import type { Graph, IndexAxis, Operand, Operator } from "#core/ir";
import { type Part, partSize } from "#core/mesh";
import { fieldOf } from "#core/records";
import type { Strategy } from "./plan.ts";

/** Whether an operator says itself how its index axes touch its operands. */
export function isProjected({ inputs, outputs }: Operator): boolean {
  const isOwn = ({ projection }: Operand) => projection !== undefined;
  return inputs.some(isOwn) || outputs.some(isOwn);
}

/**
 * Whether a projected operator may be cut along an axis alone: every result then comes in blocks
 * that follow each other, or in sums where the axis is marked as summed.
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
 * Whether all cuts together leave every result in blocks that follow each other: also where an axis
 * alone would not, as the inner one of a merged dim whose outer one is cut in single indices.
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
    return tile(projection, index, own).isClean;
  });
}

/** What is wrong with a cut of one axis, in the user's names. */
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
  const count = parts.reduce((product, part) => product * partSize(part), 1);
  const chunk = Math.ceil(size / count);
  return Array.from({ length: count }, (_, at) => Math.max(0, Math.min(chunk, size - at * chunk)));
}
