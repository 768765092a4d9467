import { type AppState, drawn, type LowerTab } from "#app/state";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";

/** Least operators of a training step that is first shown as a timeline. */
const large = 400;

/**
 * Tab under the canvas: the chosen one, else the timeline for a training step of a large net until
 * a redistribution is selected. Then the steps stay, since the next step may be an operator.
 */
function lowerTab(state: AppState): LowerTab {
  if (state.lowerTab !== undefined) return state.lowerTab;
  const isAsked = state.selection.redistribution !== undefined;
  return isLargeTraining(drawn(state)) && !isAsked ? "time" : "steps";
}

/**
 * Whether a plan is a training step of a large net, for which time by module matters more than
 * single tensors.
 */
export function isLargeStep(state: AppState): boolean {
  return isLargeTraining(drawn(state));
}

/** Tab of the panel under the canvas. */
export function useLowerTab(): LowerTab {
  return useApp(lowerTab);
}

function isLargeTraining(compiled: Compiled | undefined): boolean {
  const { operators = [] } = compiled?.program.graph ?? {};
  return operators.length >= large && operators.some(({ phase }) => phase === "backward");
}
