import { isProjected } from "#core/plan";
import type { Document } from "#language/document";
import { compileDocument } from "./compile.ts";
import type { PlannedProgram } from "./planned-words.ts";

/** Bytes of the fullest device when the program runs by a plan. */
export function plannedPeak(
  document: Document,
  { strategies, rest, ends }: PlannedProgram,
): number {
  const { mesh } = document.mesh;
  const operators = [...strategies].map(
    ([id, strategy]) => [id, { strategy, mesh, status: "set" }] as const,
  );
  const placements = [...rest, ...ends].map(
    ([id, layout]) => [id, { layout, status: "set" }] as const,
  );
  const requests = { operators: new Map(operators), placements: new Map(placements) };
  return compileDocument({ ...document, requests }).memory.peakBytes;
}

/** What a planner cannot price under the product's own model: better said than left out. */
export function unpricedPart({ graph, training }: Document): string | undefined {
  if ((training?.microbatches ?? 1) > 1) return "the planner does not price micro-batches yet";
  if ((training?.recompute.size ?? 0) > 0) return "the planner does not price recomputation yet";
  const window = graph.operators.find(isProjected);
  return (
    window && `the planner does not price operators that read windows yet, such as "${window.name}"`
  );
}
