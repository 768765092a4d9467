import type { Compiled } from "#compile";
import type { Graph, Operator } from "#core/ir";
import { boardFacts } from "./board-facts.ts";

/** A net of modules has a row for each operator from so many on, any other from more on. */
const leastInModules = 12;
const least = 25;

/** The two drawings of a plan: one row an operator, or boxes with lines between them. */
export type PlanDrawing = "rows" | "graph";

/** Whether a program is drawn by rows unless its reader chooses: boxes with lines suit few. */
export function isDrawnByRows({ operators }: Graph): boolean {
  if (operators.length >= least) return true;
  return operators.length >= leastInModules && operators.some(({ module }) => module !== undefined);
}

/** What an operator is called in a list of a program that is drawn by rows; its own name in others. */
export function listLabel(compiled: Compiled, { id, name }: Operator): string {
  if (!isDrawnByRows(compiled.graph)) return name;
  return boardFacts(compiled).labels.get(id) ?? name;
}
