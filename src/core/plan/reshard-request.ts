import { matcherOf, type Tensor } from "#core/ir";
import { type Layout, sameBlocks } from "#core/mesh";
import type { ReshardRequest } from "./plan.ts";

/** Whether a request speaks of the redistributions of a tensor to a layout. */
export function reshardMatches(
  { target, to }: ReshardRequest,
  { name, shape }: Pick<Tensor, "name" | "shape">,
  wanted: Layout,
): boolean {
  if (!matcherOf(target)(name)) return false;
  return to === undefined || (to.dims.length === shape.length && sameBlocks(to, wanted, shape));
}

/**
 * The request that a redistribution of a tensor follows, by its place in the list: one that names
 * the tensor beats one with wildcards, then one that names the layout beats one that does not, then
 * the later the earlier. `undefined` where none speaks of it.
 */
export function reshardRequestOf(
  requests: readonly ReshardRequest[],
  tensor: Pick<Tensor, "name" | "shape">,
  wanted: Layout,
): number | undefined {
  let [best, rank] = [undefined as number | undefined, -1];
  for (const [at, request] of requests.entries()) {
    const own = (request.target === tensor.name ? 2 : 0) + (request.to === undefined ? 0 : 1);
    if (own < rank || !reshardMatches(request, tensor, wanted)) continue;
    [best, rank] = [at, own];
  }
  return best;
}
