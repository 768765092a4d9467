import type { Bound } from "#core/dimops";
import type { Operator } from "#core/ir";
import type { LoomId } from "./graph.ts";

/** An Operation with the operator that it is in a planned program. */
export interface PlannedOperation {
  readonly id: LoomId;
  readonly operator: Operator;
  /** The names of its index axes. */
  readonly axes: readonly string[];
  /** The annotation that it keeps, which knows what is summed. */
  readonly bound?: Bound;
}
