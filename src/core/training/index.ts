export { expandTraining } from "./expand-training.ts";
export type { Optimizer, Training, TrainingGraph } from "./training.ts";
