import type { Bound } from "#core/dimops";
import type { Operator } from "#core/ir";
import type { LoomId } from "./graph.ts";

/** An Operation node with its operator in a planned program. */
export interface PlannedOperation {
  readonly id: LoomId;
  readonly operator: Operator;
  /** The names of its index axes. */
  readonly axes: readonly string[];
  /** Annotation that the operation carries, which tells which axes are summed. */
  readonly bound?: Bound;
}
