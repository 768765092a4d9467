import { type MeshAtoms, NotWritten } from "#systems/arrays";
import type { NamedAxes } from "./weight-rules.ts";

/** MaxText's names for the axes of a plan's mesh. */
export interface AxisWords {
  readonly of: ReadonlyMap<string, string>;
  readonly sizes: Readonly<Record<string, number>>;
}

/** MaxText's axes in the order of its mesh, outermost first. */
const order = ["data", "fsdp", "tensor"] as const;

/**
 * An axis that shards the batch is `data`, or `fsdp` if it cuts weights too; one that cuts only
 * weights is `tensor`.
 *
 * @throws NotWritten when MaxText cannot build the mesh from these
 */
export function axisWords(
  { names, sizes, order: devices, mesh }: MeshAtoms,
  { batch, weights }: { readonly batch: readonly string[]; readonly weights: readonly NamedAxes[] },
): AxisWords {
  const cut = new Set(weights.flatMap(([, axes]) => axes));
  const used = new Map<string, string>();
  for (const [at, axis] of names.entries()) {
    if ((sizes[at] ?? 1) === 1) continue;
    if (!mesh.axes.some(({ name }) => name === axis))
      throw new NotWritten(
        `the plan cuts by a part of an axis, ${axis}, and MaxText's axes are whole`,
      );
    const isShared = batch.includes(axis);
    if (!isShared && !cut.has(axis))
      throw new NotWritten(`${axis} cuts no weight and does not share out the batch`);
    const word = isShared ? (cut.has(axis) ? "fsdp" : "data") : "tensor";
    const other = [...used].find(([, known]) => known === word);
    if (other !== undefined)
      throw new NotWritten(`${other[0]} and ${axis} are both what MaxText calls ${word}`);
    used.set(axis, word);
  }
  const words = [...used.values()];
  const sorted = order.filter((word) => words.includes(word));
  if (devices !== undefined || words.join() !== sorted.join())
    throw new NotWritten(
      `MaxText's mesh has the axes ${sorted.join(", ")} in this order, and the plan has its devices otherwise`,
    );
  const sizeOf = (word: string) => {
    const axis = [...used].find(([, known]) => known === word)?.[0];
    return sizes[names.indexOf(axis ?? "")] ?? 1;
  };
  return { of: used, sizes: Object.fromEntries(order.map((word) => [word, sizeOf(word)])) };
}
