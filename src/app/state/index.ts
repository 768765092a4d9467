export { embeddedLink, type LinkMode, modeOf, wholeLink } from "#app/embedding";
export type {
  CodeChoice,
  PlanChange,
  PlanCode,
  Planned,
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
  WrongCell,
} from "#app/engine";
export type {
  CompletionItem,
  CompletionKind,
  CompletionList,
  Hover,
  LanguageReply,
  LanguageRequest,
  RenameTarget,
  SemanticWord,
  SignatureHelp,
} from "#app/language-service";
export { movedReply } from "#app/language-service";
export { type LengthTier, type Refused, svgMetadata, withPngLink, zipped } from "#app/share";
export {
  type Compiled,
  type DimGesture,
  type EdgeComparison,
  type EdgeReason,
  type EdgeRow,
  freeAxisName,
  type Gesture,
  type MeshGesture,
  type OperatorRow,
  type OwnPlan,
  type PolicyOutcome,
  type ProgramSystem,
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
export { joinTexts, type TwoTexts } from "#language/texts";
export { type Actions, createActions } from "./actions.ts";
export { type AddressBar, followAddress } from "./address.ts";
export type { Alternative, AlternativesStatus } from "./alternatives-slice.ts";
export type { AppState } from "./app-state.ts";
export { type AskOnce, createAskOnce } from "./asked-once.ts";
export { createCoalescingStore } from "./coalescing-store.ts";
export type { Baseline } from "./compare-slice.ts";
export { type CompiledStatus, isTrainingStep } from "./compiled-slice.ts";
export { createDeferredStore } from "./deferred-store.ts";
export type { OpenDocument } from "./document-slice.ts";
export type { DrawingStatus } from "./gallery-slice.ts";
export { hintOf } from "./hint.ts";
export { loadExamples } from "./known-examples.ts";
export type { LaidOutDrawing } from "./laid-out-drawing.ts";
export { lateLinks } from "./links.ts";
export { noSurvey } from "./no-survey.ts";
export { nodeFaults } from "./node-faults.ts";
export { isLink, namesExample } from "./opening.ts";
export type { Sheet } from "./palette-slice.ts";
export {
  differences,
  gainText,
  gapOf,
  isProven,
  provenSentence,
  timesText,
  whatIfText,
} from "./planned-words.ts";
export {
  type FoundPlan,
  limitOf,
  type PlanDesk,
  type PlanningStatus,
  type SurveyKind,
  type SurveyStatus,
  type WaysStatus,
} from "./planning.ts";
export { faultSentence, type RunStatus } from "./run-slice.ts";
export {
  diagnosticsOf,
  drawn,
  exampleOf,
  isOfText,
  isStale,
  isWorking,
  operatorOf,
  projectedOperator,
  selectedRedistribution,
  selectedTensor,
  shown,
  showsUpstreamRun,
  tensorView,
  titleOf,
} from "./selectors.ts";
export type { Services } from "./services.ts";
export type { Motion, PanelName } from "./settings-slice.ts";
export type { ShareStatus } from "./share-slice.ts";
export { type AppStore, createAppStore } from "./store.ts";
export type { TextNote } from "./texts-slice.ts";
export type { DimTarget, Selection, SheetTab, Theme } from "./view-slice.ts";
