import { useApp } from "../store-context.tsx";
import { RunOutcome } from "./RunOutcome.tsx";

/** Result of the last run beside the steps; nothing while the side panel shows it in full. */
export function RunBrief() {
  const run = useApp((state) => state.run);
  const isShown = useApp((state) => state.isRunShown);
  return isShown ? null : <RunOutcome run={run} isBrief />;
}
