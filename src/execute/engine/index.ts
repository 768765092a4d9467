// The interface of engines.

export type {
  Cancel,
  Engine,
  EngineRun,
  EngineTask,
  HeldValues,
  Leaves,
  RunSettings,
} from "./engine.ts";

// Faults that are put in on purpose.

export {
  type CutFault,
  faultAt,
  type InjectedFault,
  type StepFault,
  type StepFaultKind,
  scatterLeaf,
  stepFaults,
  swapCuts,
} from "./injected-fault.ts";
export { misrouted } from "./misroute.ts";
export { type UndetectableFault, whyUndetectable } from "./undetectable-fault.ts";

// Operators in the forms that both engines need.

export { bindToBlocks } from "./bind-to-blocks.ts";
export {
  type NarrowType,
  narrowDTypes,
  narrowOf,
  type Precision,
  roundBlocks,
  roundedTypes,
} from "./own-types.ts";
export { type PinnedLoop, pinnedLoop } from "./pinned-loop.ts";
export { createWriteCounter } from "./write-counter.ts";

// A training step as another step of its optimizer.

export { atStep, countsSteps } from "./at-step.ts";
