export type { Cost, Hardware, Memory } from "./cost.ts";
export { estimate } from "./estimate.ts";
export { assumedHardware } from "./hardware.ts";
export { memoryOf } from "./memory.ts";
