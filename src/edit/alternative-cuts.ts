import type { Compiled } from "#compile";
import type { Operand, OperatorId } from "#core/ir";
import { axisNames } from "#core/mesh";

/** Mesh axes per identifier of an operator, outermost first. */
export type Cuts = Readonly<Record<string, readonly string[]>>;

/** The dims of an operand, with their identifiers. */
export type OperandCuts = Pick<Operand, "dims">;

/** Cuts of an operator by whole axes of the document's mesh; `undefined` if it has other cuts. */
export function cutsOf(compiled: Compiled, operator: OperatorId): Cuts | undefined {
  const plan = compiled.plan.operators.get(operator);
  if (plan === undefined) return undefined;
  const entries = Object.entries(plan.strategy.cuts).map(
    ([name, parts]) => [name, axisNames(parts, compiled.mesh.mesh)] as const,
  );
  const known = entries.flatMap(([name, axes]) =>
    axes === undefined ? [] : [[name, axes] as const],
  );
  return known.length === entries.length ? Object.fromEntries(known) : undefined;
}

/**
 * Cuts that give an operand the layout `axes`, one list per dim: its identifiers take these axes,
 * and other identifiers lose them. `undefined` if no identifier can take one.
 */
export function cutsWith(
  now: Cuts,
  operand: OperandCuts,
  axes: readonly (readonly string[])[],
): Cuts | undefined {
  const taken = new Set(axes.flat());
  const wanted: Record<string, readonly string[]> = {};
  for (const [name, held] of Object.entries(now)) {
    wanted[name] = held.filter((axis) => !taken.has(axis));
  }
  for (const [dim, { splittable }] of operand.dims.entries()) {
    const list = axes[dim] ?? [];
    if (splittable !== undefined) wanted[splittable] = list;
    else if (list.length > 0) return undefined;
  }
  return wanted;
}
