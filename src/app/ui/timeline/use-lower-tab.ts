import { type AppState, drawn, type LowerTab } from "#app/state";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";

/** The least number of operators of a training step that is first shown as a whole. */
const large = 400;

/**
 * The panel under the canvas: the chosen one; else the whole step of a large training step, until
 * one of its redistributions is selected. An operator selected later does not change it.
 */
function lowerTab(state: AppState): LowerTab {
  if (state.lowerTab !== undefined) return state.lowerTab;
  const isAsked = state.selection.redistribution !== undefined;
  return isLargeTraining(drawn(state)) && !isAsked ? "time" : "steps";
}

/** Whether a plan is a large training step: its reader asks for its time before its tensors. */
export function isLargeStep(state: AppState): boolean {
  return isLargeTraining(drawn(state));
}

/** The panel under the canvas, as a hook. */
export function useLowerTab(): LowerTab {
  return useApp(lowerTab);
}

function isLargeTraining(compiled: Compiled | undefined): boolean {
  const { operators = [] } = compiled?.program.graph ?? {};
  return operators.length >= large && operators.some(({ phase }) => phase === "backward");
}
