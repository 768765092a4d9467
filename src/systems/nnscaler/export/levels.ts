import type { Operand, Operator, TensorId } from "#core/ir";
import type { LocalStep } from "#core/program";
import { type MeshAtoms, NotWritten } from "#systems/arrays";

/**
 * One level of a nested partition: a dim of an operand cut into pieces, or replicas of the
 * operator.
 */
export interface CutLevel {
  readonly count: number;
  /** Undefined for replicas. */
  readonly cut?: { readonly axis: string; readonly operand: number; readonly dim: number };
}

/**
 * The partition levels of an operator, outermost first, by the mesh axes in their order, so that
 * the pieces lie on the devices in ascending order.
 *
 * @throws NotWritten if they would not, or if nnScaler does not accept the partition
 */
export function levelsOf(
  operator: Operator,
  { strategy: { cuts } }: Pick<LocalStep, "strategy">,
  mesh: MeshAtoms,
): readonly CutLevel[] {
  const owners = new Map<string, string>();
  for (const [axis, parts] of Object.entries(cuts)) {
    const atoms = mesh.axesOf(parts);
    const places = atoms.map((atom) => mesh.names.indexOf(atom));
    if (places.some((place, at) => place < (places[at - 1] ?? -1)))
      throw new NotWritten(
        `pieces of ${operator.name} lie on the devices out of order, and nnScaler 0.8 puts pieces together in the order of the devices`,
      );
    for (const atom of atoms) owners.set(atom, axis);
  }
  const levels: CutLevel[] = [];
  for (const [at, atom] of mesh.names.entries()) {
    const count = mesh.sizes[at] ?? 1;
    if (count === 1) continue;
    const axis = owners.get(atom);
    const last = levels.at(-1);
    if (last !== undefined && last.cut?.axis === axis)
      levels.splice(-1, 1, { ...last, count: last.count * count });
    else levels.push({ count, ...(axis !== undefined && { cut: cutOf(operator, axis) }) });
  }
  return levels.some(({ cut }) => cut !== undefined) ? levels : [];
}

function cutOf(operator: Operator, axis: string): NonNullable<CutLevel["cut"]> {
  for (const [operand, { dims }] of operator.inputs.entries()) {
    const dim = dims.findIndex(({ splittable }) => splittable === axis);
    if (dim >= 0) return { axis, operand, dim };
  }
  throw new NotWritten(
    `${operator.name} is cut along ${axis}, which is no dim of an operand that nnScaler can name`,
  );
}

/**
 * Weights of an operator for which nnScaler has no correct reducer: replicas compute the same
 * gradient, pieces that share a weight compute addends of it, and nnScaler sums either all or none.
 */
export function mixedWeights(
  { inputs }: Operator,
  levels: readonly CutLevel[],
  isWeight: (tensor: TensorId) => boolean,
): readonly Operand[] {
  const copies = levels.findIndex(({ cut }) => cut === undefined);
  if (copies < 0) return [];
  const isInside = levels.slice(copies).some(({ cut }) => cut !== undefined);
  return inputs.filter(({ tensor, dims }) => {
    const own = new Set(dims.map(({ splittable }) => splittable));
    const isShared = levels.some(({ cut }) => cut !== undefined && !own.has(cut.axis));
    return isWeight(tensor) && (isInside || isShared);
  });
}
