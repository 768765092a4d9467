import type { AppState } from "#app/state";

/** Whether the last run has values of steps (only of those it ran, if it left layers out). */
export function hasRunValues({ run }: AppState): boolean {
  return run.kind === "done" && run.verdict.kind !== "refused";
}
