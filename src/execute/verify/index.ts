export { compareValue, type Difference } from "./compare.ts";
export { type RunOptions, type RunResult, runProgram, type TensorResult } from "./run-program.ts";
