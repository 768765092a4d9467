export { type RunOptions, type RunResult, runProgram, type TensorResult } from "./run-program.ts";
