export { GpuBudgetError } from "./gpu-device.ts";
export {
  chooseGpu,
  type GpuChoice,
  type GpuEngine,
  GpuLostError,
  type GpuOptions,
} from "./gpu-engine.ts";
