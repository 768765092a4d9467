export { /** @internal */ gather, scatter } from "./blocks.ts";
export type { Collective, Move, Slot, Transfer } from "./collective.ts";
export { isComplete } from "./complete.ts";
export { createFetch, type DeviceBoxes } from "./fetch.ts";
export {
  explainReceived,
  explainSeconds,
  type Factor,
  type Formula,
  formulaOf,
  type Term,
  termOf,
  type Unit,
} from "./formula.ts";
export type { Blocks, LocalBlock } from "./local-block.ts";
export { transfersAround, transfersOf } from "./messages.ts";
export { /** @internal */ firstMismatch } from "./mismatch.ts";
export { createParcels, type Parcel, type Reduction, reductionOf } from "./parcels.ts";
export { elementsOf, receivedElements } from "./received.ts";
export { copyBlock, replayCollective, replayHeld } from "./replay.ts";
export {
  type CollectiveLoad,
  type CollectiveRate,
  collectiveRate,
  collectiveSeconds,
  defaultLink,
  secondsOf,
} from "./seconds.ts";
export {
  type CollectiveStep,
  createExchange,
  createPermute,
  createStep,
  groupsOf,
  movedParts,
} from "./step.ts";
