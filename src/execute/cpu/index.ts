export { cpuEngine, runCpu } from "./run-cpu.ts";
