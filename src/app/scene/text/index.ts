// Layouts, tensors and quantities as text.

export { type AxesSent, type Contributor, commSummary, sentByAxes } from "./comm-summary.ts";
export {
  type ComparedPart,
  type Contributed,
  type CostPart,
  comparedParts,
  costParts,
  type Metric,
} from "./contributors.ts";
export { formatAmount, joinText, termText } from "./formula-text.ts";
export {
  type ExplainedPart,
  explainedStep,
  formulasOf,
  memoryFormula,
  timeFormula,
  totalFormula,
} from "./formulas.ts";
export { type LabelSegment, labelOf } from "./label.ts";
export { labelIn, type Notation } from "./notation.ts";
export {
  formatBytes,
  formatBytesDelta,
  formatCount,
  formatRate,
  formatSeconds,
  formatSecondsDelta,
  formatShare,
} from "./numbers.ts";
export { type PlanTable, planHead, planMarkdown, planTables } from "./plan-table.ts";
export {
  collectiveAt,
  phaseOf,
  type RedistributionGroup,
  redistributionList,
} from "./redistribution-list.ts";
export { sentenceOf, shownWords, stateSentence, stateWords } from "./sentence.ts";
export { crossoverText, fasterText, ratioText } from "./sequences.ts";
export { unverifiedSentence } from "./unverified-sentence.ts";
