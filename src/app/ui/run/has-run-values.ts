import type { AppState } from "#app/state";

/** Whether the last run has left values of steps: of those that it ran, where it left layers out. */
export function hasRunValues({ run }: AppState): boolean {
  return run.kind === "done" && run.verdict.kind !== "refused";
}
