export { type BodyFault, checkBodies } from "./check-bodies.ts";
export {
  type RunOptions,
  type RunPart,
  type RunResult,
  runPlan,
  runPlanOn,
  runProgram,
  runProgramOn,
  type TensorResult,
} from "./run-program.ts";
