import { forwardOnly } from "#app/scene/graph";
import type { AppState } from "#app/state";

/** Draws the whole training step or its forward pass alone, and keeps the choice as a setting. */
export function drawTrained({ set, openRun, closeRun }: AppState, part: "step" | "forward"): void {
  set({ isForwardOnly: part === "forward" });
  if (part === "forward") openRun(forwardOnly);
  else closeRun(forwardOnly);
}
