// Collectives as data: their effect on layouts, and their messages between devices.

export { type Collective, collectives, type Move, type Slot, type Transfer } from "./collective.ts";
export { createFetch } from "./fetch.ts";
export { transfersAround, transfersOf } from "./messages.ts";
export {
  createExchange,
  createPermute,
  createStep,
  groupsOf,
  type LayoutStep,
  movedParts,
} from "./step.ts";

// How much a collective brings to a device, and how long it takes.

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
export { receivedElements, stepElements } from "./received.ts";
export {
  type CollectiveLoad,
  type CollectiveRate,
  collectiveRate,
  collectiveSeconds,
  defaultLink,
  stepSeconds,
} from "./seconds.ts";

// Collectives carried out on arrays.

export { /** @internal */ gather, scatter } from "./blocks.ts";
export type { Blocks, LocalBlock } from "./local-block.ts";
export { createParcels, type Parcel, type Reduction, reductionOf } from "./parcels.ts";
export { copyBlock, replayCollective, replayHeld } from "./replay.ts";

// Whether devices then hold what they should.

export { isComplete } from "./complete.ts";
export { /** @internal */ firstMismatch } from "./mismatch.ts";
