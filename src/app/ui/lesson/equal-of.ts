import type { AppState } from "#app/state";

/**
 * Whether the last run of the text on the board was right; undefined before a run, and where a
 * planted fault made no difference, since that was not a run of the plan as written.
 */
export function equalOf({ run }: Pick<AppState, "run">): boolean | undefined {
  if (run.kind !== "done") return undefined;
  if (run.verdict.kind === "equal") return run.fault === undefined ? true : undefined;
  return run.verdict.kind === "different" ? false : undefined;
}
