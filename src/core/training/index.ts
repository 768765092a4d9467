export { expandTraining, microbatchesOf } from "./expand-training.ts";
export { bindSure, layoutPlan } from "./new-call.ts";
export { splitFurther } from "./split-further.ts";
export type { Optimizer, OptimizerNumbers, Training } from "./training.ts";
