import { SlidersHorizontal } from "lucide-react";
import { memo } from "react";
import { IconButton } from "../atoms/IconButton.tsx";
import { useApp } from "../store-context.tsx";
import { useIsSlow } from "./use-is-slow.ts";

const purpose = "Runs the program here, unsharded and on every device, and compares every cell (R)";

/** Runs the program beside its unsharded self; while that takes long, the same button cancels it. */
export const RunButton = memo(function RunButton() {
  const isRunning = useApp((state) => state.run.kind === "running");
  const isSlow = useIsSlow(isRunning);
  const startRun = useApp((state) => state.startRun);
  const cancelRun = useApp((state) => state.cancelRun);
  return (
    <button
      type="button"
      className="btn line run-btn"
      data-testid="run-preview"
      title={isSlow ? undefined : purpose}
      onClick={isSlow ? cancelRun : () => void startRun()}
    >
      {isSlow ? "Cancel" : "Run"}
    </button>
  );
});

/** Opens the run panel of a wide page, for its settings before a run. */
export function RunHowButton() {
  const isShown = useApp((state) => state.isRunShown);
  const showRun = useApp((state) => state.showRun);
  return (
    <IconButton
      icon={SlidersHorizontal}
      name="How to run, and details"
      testId="run-how"
      aria-expanded={isShown}
      onClick={() => showRun(!isShown)}
    />
  );
}
