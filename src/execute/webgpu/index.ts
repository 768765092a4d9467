export { GpuBudgetError, type GpuExecutor } from "./gpu-device.ts";
export {
  chooseGpu,
  type GpuChoice,
  type GpuEngine,
  GpuLostError,
  type GpuOptions,
  openExecutor,
} from "./gpu-engine.ts";
export type { GpuCommand } from "./gpu-program.ts";
export { planRun } from "./plan-run.ts";
