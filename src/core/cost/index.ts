// Machines, and the figures of their devices and links.

export {
  type ChipFigures,
  changedFigures,
  fabrics,
  isChanged,
  type MachineFigures,
  ownPlatform,
  withFigures,
} from "./figures.ts";
export { assumedHardware, assumedPlatform, fromSheet } from "./hardware.ts";
export {
  hardwareOf,
  type Machine,
  machineSize,
  type Platform,
  parseMachine,
  platformOf,
} from "./machine.ts";
export { machinePresets, nearestMachine } from "./presets.ts";

// Cost and memory of a program.

export { contracts } from "./contracts.ts";
export type { Arithmetic, Basis, Cost, Hardware, Memory } from "./cost.ts";
export { estimate } from "./estimate.ts";
export { aliveAt, memoryOf } from "./memory.ts";
export { type ModelFlops, modelFlops } from "./model-flops.ts";
export { trafficSeconds, valueBytes } from "./operator-seconds.ts";

// The same figures, term by term.

export { explainCollective, explainLocal, explainReceivedBytes, explainValue } from "./explain.ts";

// Cost models by name, as planners use them.

export { type CostModel, type LocalWork, optimalityGap } from "./model.ts";
export { modelOf, type NamedModel } from "./models.ts";
export { optimizerStateBytes } from "./optimizer-state.ts";
export { plainModel } from "./plain.ts";
export { costUnderModel, memoryUnderModel } from "./under-model.ts";
