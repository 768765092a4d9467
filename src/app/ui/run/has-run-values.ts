import type { AppState } from "#app/state";

/** Whether the last run has left the values of every step of the plan on the screen. */
export function hasRunValues({ run }: AppState): boolean {
  return run.kind === "done" && run.verdict.kind !== "refused" && run.verdict.isSameSteps;
}
