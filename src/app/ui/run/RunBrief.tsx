import { useApp } from "../store-context.tsx";
import { RunOutcome } from "./RunOutcome.tsx";

/** What the last run says, beside the steps; nothing while the side of the page says it in full. */
export function RunBrief() {
  const run = useApp((state) => state.run);
  const isShown = useApp((state) => state.isRunShown);
  return isShown ? null : <RunOutcome run={run} isBrief />;
}
