import type { AppState } from "#app/state";

/**
 * How the last run of the text on the board came out; nothing before, nor where a fault was put in
 * that made no difference: then the plan has not run as it is written.
 */
export function equalOf({ run }: Pick<AppState, "run">): boolean | undefined {
  if (run.kind !== "done") return undefined;
  if (run.verdict.kind === "equal") return run.fault === undefined ? true : undefined;
  return run.verdict.kind === "different" ? false : undefined;
}
