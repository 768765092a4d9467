export type { Sabotage } from "./run-collective.ts";
export { type CpuOptions, type CpuRun, runCpu } from "./run-cpu.ts";
