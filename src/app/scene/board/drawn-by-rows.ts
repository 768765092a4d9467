import type { Compiled } from "#compile";
import type { Operator } from "#core/ir";
import { boardFacts } from "./board-facts.ts";

/** A net of modules has a row for each operator from so many on, any other from more on. */
const leastInModules = 12;
const least = 25;

/** The two drawings of a plan: one row an operator, or boxes with lines between them. */
export type PlanDrawing = "rows" | "graph";

type Drawn = Pick<Compiled, "graph" | "program">;

/**
 * Whether a program is drawn by rows unless its reader chooses: boxes with lines suit few, those of
 * the whole training step counted.
 */
export function isDrawnByRows({ graph: { operators }, program }: Drawn): boolean {
  if (program.graph.operators.length >= least) return true;
  return operators.length >= leastInModules && operators.some(({ module }) => module !== undefined);
}

/** What an operator is called in a list of a program that is drawn by rows; its own name in others. */
export function listLabel(compiled: Compiled, { id, name }: Operator): string {
  if (!isDrawnByRows(compiled)) return name;
  return boardFacts(compiled).labels.get(id) ?? name;
}
