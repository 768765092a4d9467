import { forwardOnly } from "#app/scene/graph";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp, useAppStore } from "../store-context.tsx";

/** The whole training step on the canvas, or the forward program alone; kept for the next time. */
export function TrainingSwitch() {
  const isForwardOnly = useApp((state) => state.openRuns.has(forwardOnly));
  const store = useAppStore();
  const show = (choice: "step" | "forward") => {
    const { set, openRun, closeRun } = store.getState();
    set({ isForwardOnly: choice === "forward" });
    if (choice === "forward") openRun(forwardOnly);
    else closeRun(forwardOnly);
  };
  return (
    <Segmented
      label="Parts of the training step"
      value={isForwardOnly ? "forward" : "step"}
      choices={choices}
      onChange={show}
    />
  );
}

const choices = [
  ["step", "Training step"],
  ["forward", "Forward only"],
] as const;
