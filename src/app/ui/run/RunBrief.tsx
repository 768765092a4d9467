import { useApp } from "../store-context.tsx";
import { RunOutcome } from "./RunOutcome.tsx";

/** The result of the last run, beside the steps; absent while the side panel shows it in full. */
export function RunBrief() {
  const run = useApp((state) => state.run);
  const isShown = useApp((state) => state.isRunShown);
  return isShown ? null : <RunOutcome run={run} isBrief />;
}
