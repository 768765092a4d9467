export {
  type RunOptions,
  type RunPart,
  type RunResult,
  runPlan,
  type TensorResult,
} from "./run-program.ts";
