export { checkBodies } from "./check-bodies.ts";
export type { DeviceDifference } from "./compare.ts";
export type { TensorResult } from "./compare-run.ts";
export type { OwnNumbers } from "./own-numbers.ts";
export type { Ran } from "./ran.ts";
export type { RunSizes } from "./run-limits.ts";
export {
  type RunOptions,
  type RunPart,
  type RunResult,
  runPlan,
  runPlanOn,
  /** @internal */ runProgramOn,
} from "./run-program.ts";
