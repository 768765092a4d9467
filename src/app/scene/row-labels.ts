import type { Compiled } from "#compile";
import { type Graph, type OperatorId, operatorLabels } from "#core/ir";
import { rememberedFor } from "./remembered.ts";

/**
 * The number of operators from which a program is drawn by rows: fewer for a net of modules than
 * for any other.
 */
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

/** The labels of operators on their cards, by id. */
export const labelsOf: (graph: Graph) => ReadonlyMap<OperatorId, string> =
  rememberedFor(operatorLabels);
