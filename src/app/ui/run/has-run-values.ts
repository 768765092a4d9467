import type { AppState } from "#app/state";

/** Whether the last run has values for its steps; it may have left layers out. */
export function hasRunValues({ run }: AppState): boolean {
  return run.kind === "done" && run.verdict.kind !== "refused";
}
