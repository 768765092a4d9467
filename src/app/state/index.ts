// The store: the whole state of the page, and how a page follows it.

export type { AppState } from "./app-state.ts";
export { type AskOnce, createAskOnce } from "./asked-once.ts";
export { createCoalescingStore } from "./coalescing-store.ts";
export { createDeferredStore } from "./deferred-store.ts";
export type { Services } from "./services.ts";
export { type AppStore, createAppStore } from "./store.ts";

// Actions that concern more than one slice.

export { type Actions, createActions } from "./actions.ts";

// The text on screen, its address, and the code that is loaded for it.

export { type AddressBar, followAddress } from "./address.ts";
export type { OpenDocument } from "./document-slice.ts";
export { loadExamples } from "./known-examples.ts";
export { lateLinks } from "./links.ts";
export { isLink, namesExample } from "./opening.ts";
export { publishedProgram } from "./published-slice.ts";
export type { TextNote } from "./texts-slice.ts";

// The compiled text, and what is on screen of it.

export { type CompiledStatus, isTrainingStep } from "./compiled-slice.ts";
export { chainOf, type HintKind } from "./guide-slice.ts";
export { hintOf } from "./hint.ts";
export type { LaidOutDrawing } from "./laid-out-drawing.ts";
export { type Linked, linkedPlaces, placesIn } from "./linked.ts";
export { nodeFaults } from "./node-faults.ts";
export { type WrongDevices, wrongDevices } from "./run-faults.ts";
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

// What is selected and how it is shown.

export type { BoardPlace } from "./board-slice.ts";
export type { Sheet } from "./palette-slice.ts";
export type { Motion, PanelName } from "./settings-slice.ts";
export type { DimTarget, LowerTab, Selection, SheetTab, Theme } from "./view-slice.ts";

// Plans that the planner finds, and alternatives to a redistribution.

export type { Alternative, AlternativesStatus } from "./alternatives-slice.ts";
export { idleSurvey } from "./idle-survey.ts";
export {
  differingOperators,
  gainText,
  isProven,
  provenSentence,
  timesText,
  whatIfText,
} from "./planned-words.ts";
export {
  type FoundPlan,
  isPlanBeside,
  memoryLimitOf,
  type PartsStatus,
  type PlanDesk,
  type PlanningStatus,
  type SurveyKind,
  type SurveyStatus,
  type WaysStatus,
} from "./planning.ts";

// Comparisons, runs, the gallery and links.

export type { Baseline } from "./compare-slice.ts";
export type { ShownEvidence } from "./evidence-slice.ts";
export type { DrawingStatus } from "./gallery-slice.ts";
export { faultIn, plannedFault } from "./planned-fault.ts";
export { faultSentence, type RunStatus } from "./run-slice.ts";
export type { ShareStatus } from "./share-slice.ts";

// What panels need of the modules below, which they do not import themselves.

export { embeddedLink, modeOf, wholeLink } from "#app/embedding";
export type {
  CodeChoice,
  GoneLine,
  PartEffect,
  PartRow,
  PlanChange,
  PlanCode,
  Planned,
  PlanSentence,
  PlanShortage,
  PlanStage,
  Preview,
  RunFault,
  RunProgress,
  RunReport,
  RunTensor,
  Seen,
  SeenBlock,
  SeenValue,
  SurveyRow,
  Taken,
  TensorPart,
  Way,
  WhatIf,
  WholeCost,
  WrongCell,
} from "#app/engine";
export { countsSteps, faultNames, invisibleFault, narrowDTypes } from "#app/engine";
export type {
  CompletionKind,
  Hover,
  LanguageReply,
  LanguageRequest,
  SemanticWord,
} from "#app/language-service";
export { movedReply } from "#app/language-service";
export { type Refused, svgMetadata, withPngLink, zipped } from "#app/share";
export {
  type Compiled,
  type DimGesture,
  type EdgeComparison,
  type EdgeRow,
  freeAxisName,
  type Gesture,
  type OperatorRow,
  type OwnPlan,
  type PolicyOutcome,
  type Reader,
  restState,
  type StepsGesture,
  type SystemChoices,
  type SystemRow,
  type SystemRun,
  type SystemTotals,
  sameAsOurs,
  shownLayout,
  shownState,
  stateName,
  type TensorRead,
  type TensorState,
  type TensorView,
  type WrongStep,
} from "#compile";
export { joinTexts } from "#language/texts";
