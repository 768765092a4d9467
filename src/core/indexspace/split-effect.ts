import { reachBeside } from "./density.ts";
import type { Projection } from "./projection.ts";
import type { Box } from "./range.ts";

/**
 * The effect of a split of one index axis on one tensor.
 *
 * `none`: all pieces touch the same cells; an input is replicated, an output would be a partial
 * sum. `clean`: the blocks tile dim `dim`. `halo`: neighbours share `cells` cells of it. `gap`:
 * `cells` cells between neighbours belong to no block. `diagonal`: several dims move at once.
 */
export type SplitEffect =
  | { readonly kind: "none" }
  | { readonly kind: "clean"; readonly dim: number }
  | { readonly kind: "halo"; readonly dim: number; readonly cells: number }
  | { readonly kind: "gap"; readonly dim: number; readonly cells: number }
  | { readonly kind: "diagonal"; readonly dims: readonly number[] };

/** Effect of a split of `axis` alone; all other axes run over their whole range in `index`. */
export function splitEffect(projection: Projection, index: Box, axis: number): SplitEffect {
  const dims = [...projection.keys()].filter((dim) => factorAt(projection, dim, axis) !== 0);
  const [dim, ...others] = dims;
  if (dim === undefined) return { kind: "none" };
  const row = projection[dim];
  if (others.length > 0 || row === undefined) return { kind: "diagonal", dims };
  const shared = reachBeside(row, index, axis) - Math.abs(factorAt(projection, dim, axis));
  if (shared === 0) return { kind: "clean", dim };
  return shared > 0 ? { kind: "halo", dim, cells: shared } : { kind: "gap", dim, cells: -shared };
}

function factorAt(projection: Projection, dim: number, axis: number): number {
  return projection[dim]?.coefficients[axis] ?? 0;
}
