// The engine on a GPU.

export { GpuBudgetError } from "./gpu-device.ts";
export { chooseGpu, type GpuChoice, GpuLostError } from "./gpu-engine.ts";

// Its parts, for benchmarks: plans of runs, and what executes them.

export type { GpuExecutor } from "./gpu-device.ts";
export { openExecutor } from "./gpu-engine.ts";
export type { GpuCommand } from "./gpu-program.ts";
export { planRun } from "./plan-run.ts";
export { tuneProducts } from "./tune-products.ts";
