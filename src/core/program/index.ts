export { createFindRuns, /** @internal */ createFold, type EqualRuns, fold } from "./fold.ts";
export { type IndexRange, indexRangesOf } from "./index-ranges.ts";
export { type ListedStep, listSteps } from "./listed-steps.ts";
export { lower } from "./lower.ts";
export {
  type CollectiveStep,
  type FlatStep,
  type LocalStep,
  type Reason,
  type Redistribution,
  type RepeatStep,
  redistributionEdges,
  type SpmdProgram,
  type Stage,
  type Step,
  type StepNames,
  type Value,
  type ValueId,
  valueId,
} from "./program.ts";
export type { SystemReshard } from "./program-builder.ts";
export {
  copiesOf,
  entryOf,
  flatSteps,
  outerNames,
  runOf,
  stepsAsRun,
  /** @internal */ unroll,
} from "./unroll.ts";
