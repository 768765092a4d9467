import type { IndexAxis, Operator } from "#core/ir";

/**
 * The identifiers along one of which autodist would split an operator over all devices, beside
 * replicating it (dimops.md §7): those that are not frozen, stand in an input and divide evenly.
 * Splits along two identifiers are enumerated there too, but filtered out.
 */
export function autodistOptions(
  { axes, inputs }: Pick<Operator, "axes" | "inputs">,
  devices: number,
): readonly string[] {
  const isRead = ({ name }: IndexAxis) =>
    inputs.some(({ dims }) => dims.some(({ splittable }) => splittable === name));
  return axes
    .filter((axis) => axis.reduction !== "^" && axis.size % devices === 0 && isRead(axis))
    .map(({ name }) => name);
}
