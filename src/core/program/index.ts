// The program of each device, step by step.

export { lower } from "./lower.ts";
export {
  type CollectiveStep,
  type FlatStep,
  type LocalStep,
  placesOfValues,
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
  valuesById,
} from "./program.ts";
export type { SystemReshard } from "./program-builder.ts";

// Equal blocks of steps, folded and written out.

export { createFindRuns, /** @internal */ createFold, type EqualRuns, fold } from "./fold.ts";
export { type ListedStep, listSteps } from "./listed-steps.ts";
export {
  copiesOf,
  entryOfRun,
  flatSteps,
  runOf,
  stepsAsRun,
  /** @internal */ unroll,
} from "./unroll.ts";

// The work of a step on one device.

export { type IndexRange, indexRangesOf } from "./index-ranges.ts";
