export { operatorAlone } from "./alone.ts";
export type {
  Cancel,
  Engine,
  EngineRun,
  EngineTask,
  HeldValues,
  Leaves,
  RunSettings,
} from "./engine.ts";
export { type PinnedLoop, pinnedLoop } from "./pinned-loop.ts";
export {
  faultAt,
  laidOut,
  otherCut,
  type Sabotage,
  type StepFault,
  swapped,
} from "./sabotage.ts";
export { createTurns } from "./turns.ts";
