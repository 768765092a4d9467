import { product } from "#core/arithmetic";
import type { Graph } from "./graph.ts";

/** How many numbers the parameters of a graph have together. */
export function parameterNumbers({ tensors }: Graph): number {
  return tensors
    .filter(({ role, producer }) => role === "parameter" && producer === undefined)
    .reduce((sum, { shape }) => sum + product(shape), 0);
}
