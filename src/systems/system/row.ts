import type { OperatorId, Phase, TensorId } from "#core/ir";
import type { Reason } from "#core/program";
import type { EdgeFigures } from "./edge.ts";
import type { PolicyOutcome } from "./outcome.ts";

/**
 * Why a tensor is redistributed. Beyond the plan's own reasons: `again` for a further reader,
 * `gradient` of a parameter, `turned` for the transposed redistribution of the backward pass.
 */
export type EdgeReason = Reason["kind"] | "again" | "gradient" | "turned";

/** One row of a program as another system would run it. */
export type SystemRow = OperatorRow | EdgeRow;

/** A row for an operator that every device runs on its own blocks. */
export interface OperatorRow {
  readonly kind: "operator";
  readonly operator: OperatorId;
  readonly op: string;
  readonly name: string;
  /** Local shapes on one device: `(2, 4), (4, 6) → (2, 6)`; `2 × (2, 4)` for several pieces. */
  readonly slices: string;
  /** Name of the attribute because of which the operator runs unverified. */
  readonly unverified?: string;
  readonly phase: Phase;
  /** Number of equal rows in repeated blocks that this row represents. */
  readonly count: number;
}

/** A row for a redistribution of the plan, of the system, or of both. */
export interface EdgeRow {
  readonly kind: "edge";
  readonly tensor: TensorId;
  readonly name: string;
  readonly reason: EdgeReason;
  /** The plan's redistribution of the same edge; absent if it has none. */
  readonly redistribution?: number;
  readonly ours: EdgeFigures;
  readonly theirs: PolicyOutcome;
  readonly phase: Phase;
  readonly count: number;
  /** Set when it is no step of this program, which has no backward pass. */
  readonly isAside?: true;
}
