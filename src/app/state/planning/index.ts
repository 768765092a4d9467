// The state of planning: searches, surveys and plan parts.

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
  type SplitOptionsStatus,
  type SurveyKind,
  type SurveyStatus,
} from "./planning.ts";
