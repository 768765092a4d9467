import { memo } from "react";
import { useApp } from "../store-context.tsx";
import { useIsSlow } from "./use-is-slow.ts";

const purpose =
  "Runs the program on the CPU, unsharded and on every device, on whole numbers, and compares every cell";

/** Runs the program beside its unsharded self; while that takes long, the same button cancels it. */
export const CheckButton = memo(function CheckButton() {
  const isRunning = useApp((state) => state.run.kind === "running");
  const isSlow = useIsSlow(isRunning);
  const startRun = useApp((state) => state.startRun);
  const cancelRun = useApp((state) => state.cancelRun);
  const showSheet = useApp((state) => state.showSheet);
  const start = () => {
    showSheet("steps");
    void startRun();
  };
  return (
    <button
      type="button"
      className="btn line check-btn"
      data-testid="run-preview"
      title={isSlow ? undefined : purpose}
      onClick={isSlow ? cancelRun : start}
    >
      {isSlow ? "Cancel" : "Check"}
    </button>
  );
});
