import type { Compiled } from "#compile";
import { type Graph, type OperatorId, operatorLabels } from "#core/ir";
import { rememberedFor } from "./remembered.ts";

/**
 * Number of operators from which a program is drawn by rows: lower for a net of modules than for
 * other programs.
 */
const leastInModules = 12;
const least = 25;

type Drawn = Pick<Compiled, "graph" | "program">;

/**
 * Whether a program is drawn by rows by default; boxes with lines suit few operators, where those
 * of the training step count too.
 */
export function isDrawnByRows({ graph: { operators }, program }: Drawn): boolean {
  if (program.graph.operators.length >= least) return true;
  return operators.length >= leastInModules && operators.some(({ module }) => module !== undefined);
}

/** The labels of operators on their cards, by id. */
export const labelsOf: (graph: Graph) => ReadonlyMap<OperatorId, string> =
  rememberedFor(operatorLabels);
