import { type AppState, drawn, type LowerTab } from "#app/state";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";

/** Operators from which on a training step is first seen as a whole. */
const large = 400;

/**
 * What stands under the canvas: as chosen, else the whole step of a large net that is trained, until
 * a step of it is asked for. Then it stays, whatever else is picked: the next step may be an operator.
 */
function lowerTab(state: AppState): LowerTab {
  if (state.lowerTab !== undefined) return state.lowerTab;
  const isAsked = state.selection.redistribution !== undefined;
  return isLargeTraining(drawn(state)) && !isAsked ? "time" : "steps";
}

/** Whether a plan is a training step of a large net: where its time goes is asked before its tensors. */
export function isLargeStep(state: AppState): boolean {
  return isLargeTraining(drawn(state));
}

/** What stands under the canvas, for a component. */
export function useLowerTab(): LowerTab {
  return useApp(lowerTab);
}

function isLargeTraining(compiled: Compiled | undefined): boolean {
  const { operators = [] } = compiled?.program.graph ?? {};
  return operators.length >= large && operators.some(({ phase }) => phase === "backward");
}
