export {
  type RunOptions,
  type RunResult,
  runPlan,
  type TensorResult,
} from "./run-program.ts";
