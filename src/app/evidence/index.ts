// Measured figures, and the programs that the model prices for them.

export { operatorProgram } from "./program-text.ts";
export {
  type Group,
  groups,
  type MeasuredRow,
  measuredRows,
  type Quantity,
} from "./rows.ts";

// The model held against them.

export {
  type EvidenceRow,
  errorOf,
  evidenceRows,
  type Held,
  heldOf,
  shareWithin,
} from "./modelled.ts";
