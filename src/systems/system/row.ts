import type { OperatorId, Phase, TensorId } from "#core/ir";
import type { Reason } from "#core/program";
import type { EdgeFigures } from "./edge.ts";
import type { PolicyOutcome } from "./outcome.ts";

/**
 * Why a tensor is sent: `again` for one more reader, `gradient` of a parameter, `turned` on the way
 * back.
 */
export type EdgeReason = Reason["kind"] | "again" | "gradient" | "turned";

/** One line of a program as another system would run it. */
export type SystemRow = OperatorRow | EdgeRow;

/** An operator that every device runs on its own blocks. */
export interface OperatorRow {
  readonly kind: "operator";
  readonly operator: OperatorId;
  readonly op: string;
  readonly name: string;
  /** What one device computes: `(2, 4), (4, 6) → (2, 6)`; of several pieces `2 × (2, 4)`. */
  readonly slices: string;
  /** The attribute by which it runs as the text says, unrepaired. */
  readonly unverified?: string;
  readonly phase: Phase;
  /** How many such lines the program has: blocks that repeat stand once. */
  readonly count: number;
}

/** A tensor that is sent, by ours or by the system. */
export interface EdgeRow {
  readonly kind: "edge";
  readonly tensor: TensorId;
  readonly name: string;
  readonly reason: EdgeReason;
  /** Our redistribution on the same edge; absent where ours needs none. */
  readonly redistribution?: number;
  readonly ours: EdgeFigures;
  readonly theirs: PolicyOutcome;
  readonly phase: Phase;
  readonly count: number;
  /** Not a step of this program: it has no backward pass. */
  readonly isAside?: true;
}
