import { createStore, type StoreApi } from "zustand/vanilla";
import { optionsOf } from "#app/embedding";
import { firstExample } from "#app/first-example";
import { latestText, takeEarlier } from "#app/texts";
import { type Opening, openingOf } from "./address/opening.ts";
import { alternativesSlice } from "./alternatives-slice.ts";
import type { AppState } from "./app-state.ts";
import { applyView, showPlace } from "./apply-view.ts";
import { lettingGo } from "./arming.ts";
import { boardSlice } from "./board-slice.ts";
import { bodiesSlice } from "./bodies-slice.ts";
import { compareSlice } from "./compare-slice.ts";
import { compiledSlice } from "./compiled-slice.ts";
import { documentSlice } from "./document-slice.ts";
import { evidenceSlice } from "./evidence-slice.ts";
import { gallerySlice } from "./gallery-slice.ts";
import { gestureSlice } from "./gesture-slice.ts";
import { guideSlice } from "./guide-slice.ts";
import { keepShown } from "./keep-shown.ts";
import { lessonSlice } from "./lesson-slice.ts";
import { linkSlice } from "./link-slice.ts";
import { paletteSlice } from "./palette-slice.ts";
import { placeSlice } from "./place-slice.ts";
import { plannerSlice } from "./planning/planner-slice.ts";
import { policiesSlice } from "./policies-slice.ts";
import { presentSlice } from "./present-slice.ts";
import { publishedSlice } from "./published-slice.ts";
import { recomputeSlice } from "./recompute-slice.ts";
import { runSlice } from "./run/run-slice.ts";
import { selectedTensor } from "./selectors.ts";
import type { Services } from "./services.ts";
import { readSettings, settingsSlice } from "./settings-slice.ts";
import { shareSlice } from "./share-slice.ts";
import { noReaders } from "./shown-states.ts";
import { nameOf } from "./text-name.ts";
import { textsSlice } from "./texts-slice.ts";
import { upstreamRunSlice } from "./upstream-run-slice.ts";
import { type Theme, viewSlice } from "./view-slice.ts";

/** The store of one page. */
export type AppStore = StoreApi<AppState>;

/** Creates the store of one page and opens the text that the address names. */
export function createAppStore(services: Services, address: string): AppStore {
  takeEarlier(services.shelf, nameOf);
  const opening = openingOf(address, services.shelf, services.links.now());
  const options = optionsOf(address);
  const store = createStore<AppState>()((...api) => ({
    ...documentSlice(opening.source, opening.shown)(...api),
    ...textsSlice(opening.note)(...api),
    ...compiledSlice(services)(...api),
    ...viewSlice(options.theme ?? readTheme(services))(...api),
    ...placeSlice(services.engine, readSettings(services.storage).isForwardOnly)(...api),
    ...linkSlice()(...api),
    ...lessonSlice()(...api),
    ...boardSlice(...api),
    ...gestureSlice(services.engine)(...api),
    ...alternativesSlice(services.engine)(...api),
    ...upstreamRunSlice(services.engine)(...api),
    ...policiesSlice(services.engine)(...api),
    ...compareSlice(services.engine)(...api),
    ...gallerySlice(services.engine)(...api),
    ...evidenceSlice(...api),
    ...recomputeSlice(services.engine)(...api),
    ...settingsSlice(services.storage)(...api),
    ...guideSlice(isFirstVisit(services, opening))(...api),
    ...paletteSlice(services.storage)(...api),
    ...shareSlice(services.links, opening.refusal)(...api),
    ...presentSlice(options, opening.stations ?? [])(...api),
    ...runSlice(services.runner)(...api),
    ...plannerSlice(services.planner)(...api),
    ...publishedSlice()(...api),
    ...bodiesSlice(services.bodies)(...api),
  }));
  store.setState(lettingGo(store));
  if (options.mode === "embed") store.setState(readOnly(store));
  applyView(store, opening);
  showPlace(store, options);
  services.presence?.show(opening.shown.id);
  store.subscribe((state, before) => follow(store, services, state, before));
  services.engine.onLoaded((isCompilerLoaded) => store.setState({ isCompilerLoaded }));
  void store.getState().compileSource(opening.source, undefined);
  return store;
}

/** Whether the page opens, on its own, the example that a new reader sees first. */
function isFirstVisit({ shelf, storage }: Services, { shown, refusal }: Opening): boolean {
  const isKept = shown.kept !== "no" || latestText(shelf) !== undefined;
  const isFirst = shown.from.kind === "example" && shown.from.name === firstExample.name;
  return isFirst && !isKept && refusal === undefined && !readSettings(storage).isWelcomed;
}

/** Edit actions of a read-only page: they tell where the plan can be changed. */
function readOnly(store: AppStore): Partial<AppState> {
  const refuse = () =>
    store.getState().say({ kind: "refused", text: "Open the plan to change it." });
  return {
    type: refuse,
    commit: refuse,
    amend: refuse,
    gesture: async () => {
      refuse();
      return "the plan is only shown here";
    },
  };
}

/** The view when a document is opened. */
const atFirst = {
  selection: {},
  zoom: undefined,
  readers: noReaders,
  frame: 1,
  playedStep: undefined,
  isPlaying: false,
};

/** The consequences of a change of text or theme. */
function follow(store: AppStore, services: Services, state: AppState, before: AppState): void {
  if (state.theme !== before.theme) services.storage.write("shardboard.theme", state.theme);
  if (state.compiled !== before.compiled) {
    holdSelection(store, state);
    state.forgetPlan();
    void state.askUpstreamRun();
    void state.askBodies();
  }
  const { shownText } = state;
  if (shownText.id !== before.shownText.id) services.presence?.show(shownText.id);
  if (state.document === before.document) return;
  state.linkText(undefined);
  const { source, opening, change } = state.document;
  services.bodies?.giveUp();
  state.forgetRun();
  state.forgetPlan();
  const isOpened = opening !== before.document.opening;
  if (isOpened) {
    state.forgetCompiled();
    state.forgetPlaces();
    state.forgetBoard();
    store.setState({ ...atFirst, notice: undefined, share: { kind: "closed" } });
  } else if (shownText.id === before.shownText.id) keepShown(store, services);
  if (/^(Undo|Redo): /u.test(change ?? "")) state.keepSwapped(source);
  store.setState({ choosing: undefined });
  void state.compileSource(source, isOpened ? undefined : change);
}

/** Keeps the inspected tensor selected when the text changes. */
function holdSelection(store: AppStore, state: AppState): void {
  const tensor = selectedTensor(state)?.id;
  if (tensor === undefined || state.selection.tensor === tensor) return;
  store.setState({ selection: { ...state.selection, tensor } });
}

function readTheme({ storage }: Services): Theme {
  const kept = storage.read("shardboard.theme");
  return kept === "light" || kept === "dark" ? kept : "system";
}
