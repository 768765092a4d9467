// The store: the whole state of the page, and the ways to follow it.

export type { AppState } from "./app-state.ts";
export { type AskOnce, createAskOnce } from "./asked-once.ts";
export { createCoalescingStore } from "./coalescing-store.ts";
export { createDeferredStore } from "./deferred-store.ts";
export type { Services } from "./services.ts";
export { type AppStore, createAppStore } from "./store.ts";

// Actions on more than one slice.

export { type Actions, createActions } from "./actions.ts";

// The text on screen, its address, and the code loaded for it.

export type { OpenDocument } from "./document-slice.ts";
export { loadLessons } from "./known-lessons.ts";
export type { LessonDesk } from "./lesson-desk.ts";
export type { ChallengeScore, OpenLesson } from "./lesson-slice.ts";
export { publishedProgram } from "./published-slice.ts";
export type { TextNote } from "./texts-slice.ts";

// The compiled text, and the shown parts of it.

export { type CompiledStatus, isTrainingStep } from "./compiled-slice.ts";
export { exampleHints, type HintKind } from "./guide-slice.ts";
export { hintOf } from "./hint.ts";
export type { LaidOutDrawing } from "./laid-out-drawing.ts";
export { type Linked, linkedPlaces, textPlacesOf } from "./linked.ts";
export {
  diagnosticsOf,
  drawn,
  exampleOf,
  isStale,
  isWorking,
  isWrittenTensor,
  operatorOf,
  projectedOperator,
  selectedRedistribution,
  selectedTensor,
  shown,
  showsUpstreamRun,
  tensorView,
  titleOf,
} from "./selectors.ts";

// The selection and view settings.

export type { BoardPlace } from "./board-slice.ts";
export type { Sheet } from "./palette-slice.ts";
export type { Motion, PanelName } from "./settings-slice.ts";
export type { DimTarget, LowerTab, Selection, SheetTab, Theme } from "./view-slice.ts";

// Alternatives to a redistribution.

export type { Alternative, AlternativesStatus } from "./alternatives-slice.ts";

// Comparisons, runs, the gallery and links.

export type { OpenFailure } from "./address/links.ts";
export type { Baseline } from "./compare-slice.ts";
export type { ShownEvidence } from "./evidence-slice.ts";
export type { DrawingStatus } from "./gallery-slice.ts";
export type { ShareStatus } from "./share-slice.ts";
