export { expandTraining, microbatchesOf } from "./expand-training.ts";
export { fewestBlocks, withBlocks } from "./fewest-blocks.ts";
export { gradientsInBackward } from "./gradients-in-backward.ts";
export { bindOrThrow, type KnownCalls, layoutPlan } from "./new-call.ts";
export { type UpdateBytes, updateBytes } from "./precision.ts";
export { savesMoreThanOperands } from "./saved-operands.ts";
export { splitFurther } from "./split-further.ts";
export {
  type Optimizer,
  type OptimizerNumbers,
  type Overlap,
  overlaps,
  type Precision,
  precisions,
  type RecomputedBlock,
  type Training,
  type TrainingGraph,
} from "./training.ts";
export { computedGraph } from "./typed-graph.ts";
