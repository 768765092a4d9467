export { expandTraining, microbatchesOf } from "./expand-training.ts";
export { bindSure, layoutPlan } from "./new-call.ts";
export { type UpdateBytes, updateBytes } from "./precision.ts";
export { splitFurther } from "./split-further.ts";
export {
  type Optimizer,
  type OptimizerNumbers,
  type Precision,
  precisions,
  type Overlap,
  overlaps,
  type Training,
} from "./training.ts";
