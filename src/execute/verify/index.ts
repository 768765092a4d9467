export {
  type RunOptions,
  type RunResult,
  runPlan,
  runProgram,
  type TensorResult,
} from "./run-program.ts";
