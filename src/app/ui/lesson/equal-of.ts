import type { AppState } from "#app/state";

/**
 * Whether the last run of the text equalled the unsharded program. `undefined` before a run, and
 * after a run with an injected fault that made no difference: it did not run the plan as written.
 */
export function equalOf({ run }: Pick<AppState, "run">): boolean | undefined {
  if (run.kind !== "done") return undefined;
  if (run.verdict.kind === "equal") return run.fault === undefined ? true : undefined;
  return run.verdict.kind === "different" ? false : undefined;
}
