import type { StoreApi } from "zustand/vanilla";
import { forwardOnly } from "#app/scene";
import { tensorId } from "#core/ir";
import type { AppState } from "./app-state.ts";
import type { Opening } from "./opening.ts";
import type { SheetTab } from "./view-slice.ts";

const tabs: readonly SheetTab[] = ["plan", "mesh", "tensor", "steps", "program", "costs"];

/** Looks at a plan as its link says, and holds it against the link's baselines. */
export function applyView(store: StoreApi<AppState>, { view, bases = [] }: Opening): void {
  const { tensor, step, device, panel, lanes, drawing } = view;
  const sheetTab = tabs.find((tab) => tab === panel);
  const selection = {
    ...(tensor !== undefined && { tensor: tensorId(tensor) }),
    ...(step !== undefined && { redistribution: step }),
  };
  store.setState({
    selection,
    chosen: selection,
    ...(device !== undefined && { pinnedDevice: device }),
    ...(sheetTab !== undefined && { sheetTab }),
  });
  if (lanes === "forward") store.getState().openRun(forwardOnly);
  if (drawing !== undefined) store.getState().drawPlan(drawing);
  if (bases.length > 0) void store.getState().holdBaselines(bases);
}
