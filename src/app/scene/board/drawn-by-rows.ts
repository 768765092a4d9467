import type { Compiled } from "#compile";
import type { Operator } from "#core/ir";
import { isDrawnByRows, labelsOf } from "../row-labels.ts";

/** The two drawings of a plan: one row per operator, or boxes with lines between them. */
export type PlanDrawing = "rows" | "graph";

/**
 * The name of an operator in a list: its label if the program is drawn by rows, else its own name.
 */
export function listLabel(compiled: Compiled, { id, name }: Operator): string {
  if (!isDrawnByRows(compiled)) return name;
  return labelsOf(compiled.program.graph).get(id) ?? name;
}
