import { forwardOnly } from "#app/scene/graph";
import type { LinkView } from "#app/share";
import type { BoardSlice } from "./board-slice.ts";
import { type CompiledSlice, isTrainingStep, shownOf } from "./compiled-slice.ts";
import type { PlaceSlice } from "./place-slice.ts";
import type { ViewSlice } from "./view-slice.ts";

/** The state that makes up a view. */
export type LookedAt = Pick<
  ViewSlice,
  "selection" | "pinnedDevice" | "sheetTab" | "frame" | "hops" | "playedStep" | "zoom"
> &
  Pick<PlaceSlice, "openRuns"> &
  Pick<BoardSlice, "planDrawing" | "board"> &
  Pick<CompiledSlice, "compiled">;

/** Still index of a redistribution that was selected but not played. */
export const firstStill = 1;

/** The present view, without parts that a fresh page shows anyway. */
export function viewOf(state: LookedAt): LinkView {
  const { compiled, openRuns, selection, pinnedDevice, sheetTab, planDrawing } = state;
  const { frame, hops, playedStep, board } = state;
  const zoom = board.zoom === undefined ? state.zoom?.percent : Math.round(100 * board.zoom);
  const { tensor, redistribution } = selection;
  const isForward = openRuns.has(forwardOnly) && isTrainingStep(shownOf(compiled));
  const isMoved = redistribution !== undefined && playedStep === undefined;
  return {
    ...(tensor !== undefined && { tensor }),
    ...(pinnedDevice !== undefined && { device: pinnedDevice }),
    ...(redistribution !== undefined && { step: redistribution }),
    ...(isMoved && frame !== firstStill && { still: frame }),
    ...(isMoved && hops === "ring" && { hops }),
    ...(playedStep !== undefined && { place: playedStep }),
    ...(sheetTab !== "plan" && sheetTab !== "planner" && { panel: sheetTab }),
    ...(isForward && { lanes: "forward" }),
    ...(planDrawing !== undefined && { drawing: planDrawing }),
    ...(zoom !== undefined && { zoom }),
  };
}
