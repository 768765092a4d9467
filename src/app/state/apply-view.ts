import type { StoreApi } from "zustand/vanilla";
import { forwardOnly } from "#app/scene/graph";
import { tensorId } from "#core/ir";
import type { Opening } from "./address/opening.ts";
import type { AppState } from "./app-state.ts";
import { lessonsNow } from "./known-lessons.ts";
import type { OpenLesson } from "./lesson-slice.ts";
import type { SheetTab } from "./view-slice.ts";

const tabs: readonly SheetTab[] = ["plan", "mesh", "tensor", "steps", "run", "program", "costs"];

/** Looks at a plan as its link says, and holds it against the link's baselines. */
export function applyView(store: StoreApi<AppState>, opening: Opening): void {
  const { view, bases = [], lesson, word, results } = opening;
  const { tensor, step, device, panel, lanes, drawing, fault } = view;
  const sheetTab = fault === undefined ? tabs.find((tab) => tab === panel) : "run";
  const selection = {
    ...(tensor !== undefined && { tensor: tensorId(tensor) }),
    ...(step !== undefined && { redistribution: step }),
  };
  store.setState({
    selection,
    chosen: selection,
    ...(device !== undefined && { pinnedDevice: device }),
    ...(sheetTab !== undefined && { sheetTab }),
    plannedFault: fault,
    ...(fault !== undefined && { isRunShown: true }),
  });
  if (lesson === undefined) store.setState({ lesson: undefined });
  else showLesson(store, lesson);
  if (word !== undefined) store.getState().openWord(word);
  if (results !== undefined) store.getState().openResults(results);
  if (lanes === "forward") store.getState().openRun(forwardOnly);
  if (drawing !== undefined) store.getState().drawPlan(drawing);
  if (bases.length > 0) void store.getState().holdBaselines(bases);
}

/** Opens the lesson that an address names; what was answered in it is not asked again. */
function showLesson(store: StoreApi<AppState>, lesson: OpenLesson): void {
  const { lesson: last } = store.getState();
  const isSame = last?.lesson === lesson.lesson;
  const opened = isSame ? { ...last, at: lesson.at, hints: 0 } : lesson;
  store.setState({ lesson: opened });
  lessonsNow()?.showView(store, opened);
}
