import { StepView } from "../player/StepView.tsx";
import { TimelinePanel } from "./TimelinePanel.tsx";
import { useLowerTab } from "./use-lower-tab.ts";
import "../styles/timeline.css";

/** Panel under the canvas of a wide screen: the timeline or the steps. */
export function LowerPanel() {
  return useLowerTab() === "time" ? <TimelinePanel /> : <StepView />;
}
