// Cost and memory of a program.

export { contentionFactor } from "./contention.ts";
export { contractsAxis } from "./contracts-axis.ts";
export {
  type Arithmetic,
  arithmetics,
  type Basis,
  type Cost,
  type Hardware,
  type KernelClass,
  kernelClasses,
  type Memory,
  type Sources,
} from "./cost.ts";
export { estimate, estimateWithSchedule, type ScheduledCost } from "./estimate.ts";
export { aliveAt, aliveAtSteps, memoryOf } from "./memory.ts";
export { type ModelFlops, modelFlops } from "./model-flops.ts";
export { streamSeconds, valueBytes } from "./operator-seconds.ts";
export type { RunRules } from "./run-rules.ts";
export { operationsAtSteps } from "./step-operations.ts";
export { createStepTimeCache, type StepTimeCache } from "./step-time-cache.ts";

// Cost and memory, term by term.

export { explainCollective, explainLocal, explainReceivedBytes, explainValue } from "./explain.ts";

// Cost models by name, as planners use them.

export { type CostModel, type LocalWork, optimalityGap } from "./model.ts";
export { modelOf, type NamedModel } from "./models.ts";
export { optimizerStateBytes } from "./optimizer-state.ts";
export { plainModel } from "./plain.ts";
export { costUnderModel, memoryUnderModel } from "./under-model.ts";
