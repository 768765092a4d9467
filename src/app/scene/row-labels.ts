import type { Compiled } from "#compile";
import { type Graph, type OperatorId, operatorLabels } from "#core/ir";
import { rememberedFor } from "./remembered.ts";

/** A net of modules has a row for each operator from so many on, any other from more on. */
const leastInModules = 12;
const least = 25;

type Drawn = Pick<Compiled, "graph" | "program">;

/**
 * Whether a program is drawn by rows unless its reader chooses: boxes with lines suit few, those of
 * the whole training step counted.
 */
export function isDrawnByRows({ graph: { operators }, program }: Drawn): boolean {
  if (program.graph.operators.length >= least) return true;
  return operators.length >= leastInModules && operators.some(({ module }) => module !== undefined);
}

/** What operators are called on their cards, by their ids. */
export const labelsOf: (graph: Graph) => ReadonlyMap<OperatorId, string> =
  rememberedFor(operatorLabels);
