import type { OperatorId, Phase, TensorId } from "#core/ir";
import type { Reason } from "#core/program";
import type { EdgeFigures } from "./edge.ts";
import type { PolicyOutcome } from "./outcome.ts";

/**
 * Why a tensor is redistributed: beside ours, `again` for one more reader, `gradient` of a
 * parameter, `turned` for the transposed redistribution of the backward pass.
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
  /** What one device computes: `(2, 4), (4, 6) → (2, 6)`; of several pieces `2 × (2, 4)`. */
  readonly slices: string;
  /** The attribute that makes the plan run it unverified. */
  readonly unverified?: string;
  readonly phase: Phase;
  /** Number of equal rows that it stands for, in blocks that repeat. */
  readonly count: number;
}

/** A row for a redistribution of ours, of the system, or of both. */
export interface EdgeRow {
  readonly kind: "edge";
  readonly tensor: TensorId;
  readonly name: string;
  readonly reason: EdgeReason;
  /** Our redistribution of the same edge; absent where ours has none. */
  readonly redistribution?: number;
  readonly ours: EdgeFigures;
  readonly theirs: PolicyOutcome;
  readonly phase: Phase;
  readonly count: number;
  /** Set where it is not a step of this program, which has no backward pass. */
  readonly isAside?: true;
}
