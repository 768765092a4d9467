import { SlidersHorizontal } from "lucide-react";
import { memo } from "react";
import { IconButton } from "../atoms/IconButton.tsx";
import { useApp } from "../store-context.tsx";
import { useIsSlow } from "./use-is-slow.ts";

const purpose = "Runs the program here, unsharded and on every device, and compares every cell (R)";

/** Button that runs the program unsharded and on every device; during a long run it cancels. */
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

/** Button that opens the run's settings in the side panel of a wide page. */
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
