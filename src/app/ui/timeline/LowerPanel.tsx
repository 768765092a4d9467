import { StepView } from "../player/StepView.tsx";
import { TimelinePanel } from "./TimelinePanel.tsx";
import { useLowerTab } from "./use-lower-tab.ts";
import "../styles/timeline.css";

/** The panel under the canvas of a wide screen. */
export function LowerPanel() {
  return useLowerTab() === "time" ? <TimelinePanel /> : <StepView />;
}
