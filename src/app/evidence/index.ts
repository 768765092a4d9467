// Measured figures, and the programs that the model evaluates for them.

export {
  type Group,
  groups,
  type MeasuredRow,
  /** @internal */ measuredRows,
  type Quantity,
} from "./rows.ts";

// Comparison of the model with the measurements.

export { type Aim, aims } from "./aims.ts";
export { fittedOf } from "./fitted.ts";
export { type KernelRows, kernelRows } from "./measured-names.ts";
export { type EvidenceRow, evidenceRows, type Held, heldOf, shareWithin } from "./modelled.ts";

// The error of the model on measured plans of one kind.

export { memoryError, type PlanKind, type StatedError, timeError } from "./kinds.ts";
