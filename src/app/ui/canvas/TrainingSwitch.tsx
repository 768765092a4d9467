import { forwardOnly } from "#app/scene/graph";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { drawTrained } from "./draw-trained.ts";

/** Switch between the whole training step and the forward pass; kept as a setting. */
export function TrainingSwitch() {
  const isForwardOnly = useApp((state) => state.openRuns.has(forwardOnly));
  const store = useAppStore();
  return (
    <Segmented
      label="Parts of the training step"
      value={isForwardOnly ? "forward" : "step"}
      choices={choices}
      onChange={(part) => drawTrained(store.getState(), part)}
    />
  );
}

const choices = [
  ["step", "Training step"],
  ["forward", "Forward only"],
] as const;
