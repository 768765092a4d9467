// Runs of a plan beside the unsharded program.

export type { OwnNumbers } from "./own-numbers.ts";
export { roundingWords } from "./own-rounding.ts";
export type { RunSizes } from "./run-limits.ts";
export type { RunOptions, RunResult } from "./run-options.ts";
export type { RunPart } from "./run-part.ts";
export { type PlanResult, runPlan, runPlanOn } from "./run-plan.ts";
export { runProgramOn } from "./run-program.ts";

// The duration of a run, by a measured pace.

export { createPartClock, type Pace, paceOf, paceTexts, secondsAt, type TimedRun } from "./pace.ts";

// The results of a run.

export type { DeviceDifference } from "./compare.ts";
export type { TensorResult } from "./compare-run.ts";
export type { FinishedRun } from "./finished-run.ts";
export {
  coverWords,
  type ProgramReduction,
  type ReducedSize,
  stepName,
  type WholeCost,
} from "./program-reduction.ts";
export {
  explainUndetectedFault,
  trialsOf,
  type UndetectedFault,
  withRead,
} from "./undetected-fault.ts";

// Bodies of registered functions against their annotations.

export { checkBodies } from "./check-bodies.ts";
