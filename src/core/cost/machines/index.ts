// Machines, and the figures of their devices and links.

export { figureWords, groupWords } from "./figure-words.ts";
export {
  type ChipFigures,
  changedFigures,
  customDeviceName,
  fabrics,
  isChanged,
  linkWord,
  type MachineFigures,
  ownPlatform,
  withFigures,
} from "./figures.ts";
export {
  assumedHardware,
  assumedMachine,
  assumedPlatform,
  /** @internal */ fromSheet,
} from "./hardware.ts";
export {
  hardwareOf,
  type Machine,
  machineSize,
  type Platform,
  parseMachine,
  platformOf,
} from "./machine.ts";
export { defaultDeviceName } from "./own-base.ts";
export {
  type OwnHardware,
  ownHardwarePlatform,
  type ReadHardware,
  readHardware,
  unlinkedAxes,
} from "./own-hardware.ts";
export { machinePresets, nearestMachine } from "./presets.ts";
export { type FigureFault, readChipFigures, readLinkFigures } from "./read-figures.ts";
