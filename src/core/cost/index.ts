export type { Cost, Hardware, Memory } from "./cost.ts";
export { contracts, estimate, trafficSeconds, valueBytes } from "./estimate.ts";
export { explainCollective, explainLocal, explainReceivedBytes, explainValue } from "./explain.ts";
export {
  type ChipFigures,
  fabrics,
  figuresBeside,
  isChanged,
  type MachineFigures,
  ownPlatform,
  withFigures,
} from "./figures.ts";
export { assumedHardware, assumedPlatform } from "./hardware.ts";
export {
  hardwareOf,
  type Machine,
  machineSize,
  type Platform,
  parseMachine,
  platformOf,
} from "./machine.ts";
export { aliveAt, memoryOf } from "./memory.ts";
export type { CostModel, LocalWork } from "./model.ts";
export { modelOf, type NamedModel } from "./models.ts";
export { optimizerStateBytes } from "./optimizer-state.ts";
export { plainModel } from "./plain.ts";
export { machinePresets, nearestMachine } from "./presets.ts";
export { costUnderModel, memoryUnderModel } from "./under-model.ts";
