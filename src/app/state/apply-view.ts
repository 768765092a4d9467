import type { StoreApi } from "zustand/vanilla";
import type { LinkOptions } from "#app/embedding";
import { forwardOnly } from "#app/scene/graph";
import type { LinkView } from "#app/share";
import { tensorId } from "#core/ir";
import type { Opening } from "./address/opening.ts";
import type { AppState } from "./app-state.ts";
import { lessonsNow } from "./known-lessons.ts";
import type { OpenLesson } from "./lesson-slice.ts";
import { firstStill } from "./view-of.ts";
import type { SheetTab } from "./view-slice.ts";

const tabs: readonly SheetTab[] = ["plan", "mesh", "tensor", "steps", "run", "program", "costs"];

/** Sets the view of the link, and compares the plan with the link's baselines. */
export function applyView(store: StoreApi<AppState>, opening: Opening): void {
  const { view, stations = [], bases = [], lesson, word, results } = opening;
  lookAt(store, view);
  store.setState({ stations, station: 0 });
  if (lesson === undefined) store.setState({ lesson: undefined });
  else showLesson(store, lesson);
  if (word !== undefined) store.getState().openWord(word);
  if (results !== undefined) store.getState().openResults(results);
  if (bases.length > 0) void store.getState().holdBaselines(bases);
}

/** Sets the state of the page to a view of the plan on screen. */
export function lookAt(store: StoreApi<AppState>, view: LinkView): void {
  const { tensor, step, device, panel, lanes, drawing, fault, still, hops, place, zoom } = view;
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
    zoom: zoom === undefined ? undefined : { percent: zoom, isWanted: true },
    frame: still ?? firstStill,
    playedStep: place,
    isPlaying: false,
    ...(step !== undefined && place === undefined && { hops: hops ?? "logical" }),
    ...(fault !== undefined && { isRunShown: true }),
  });
  if (lanes === "forward") store.getState().openRun(forwardOnly);
  if (drawing !== undefined) store.getState().drawPlan(drawing);
  if (zoom !== undefined) store.getState().arrangeBoard({ zoom: zoom / 100 });
}

/** Selects the redistribution in an address, possibly after some of its hops. */
export function showPlace(store: StoreApi<AppState>, { at, mode }: LinkOptions): void {
  if (mode === "present") store.setState({ hops: "ring" });
  if (at === undefined) return;
  const selection = { redistribution: at.step - 1 };
  store.setState({
    ...{ selection, chosen: selection, playedStep: undefined, isPlaying: false },
    hops: at.hop === undefined ? "logical" : "ring",
    frame: at.hop === undefined ? firstStill : stillBehind(at.hop),
  });
}

/** Index of the still after `hops` hops; for 0 the one that begins the first hop. */
function stillBehind(hops: number): number {
  return Math.max(0, hops * 3 - 1);
}

/** Opens the lesson that an address names; answers given in it before are kept. */
function showLesson(store: StoreApi<AppState>, lesson: OpenLesson): void {
  const { lesson: last } = store.getState();
  const isSame = last?.lesson === lesson.lesson;
  const opened = isSame ? { ...last, at: lesson.at, hints: 0 } : lesson;
  store.setState({ lesson: opened });
  lessonsNow()?.showView(store, opened);
}
