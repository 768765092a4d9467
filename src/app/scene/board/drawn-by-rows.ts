import type { Compiled } from "#compile";
import type { Operator } from "#core/ir";
import { isDrawnByRows, labelsOf } from "../row-labels.ts";

/** The two drawings of a plan: one row an operator, or boxes with lines between them. */
export type PlanDrawing = "rows" | "graph";

/** What an operator is called in a list of a program that is drawn by rows; its own name in others. */
export function listLabel(compiled: Compiled, { id, name }: Operator): string {
  if (!isDrawnByRows(compiled)) return name;
  return labelsOf(compiled.program.graph).get(id) ?? name;
}
