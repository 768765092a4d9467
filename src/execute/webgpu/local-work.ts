import type { Operator, TensorId } from "#core/ir";
import type { IndexRange } from "#core/program";
import type { BufferId } from "./gpu-program.ts";
import type { Holding } from "./program-builder.ts";

/** A step of an operator: its operands, and the places of its results. */
export interface LocalWork {
  readonly operator: Operator;
  readonly ranges: readonly IndexRange[];
  readonly inputs: readonly Holding[];
  readonly outputs: readonly Holding[];
  readonly shapeOf: (tensor: TensorId) => readonly number[];
  /** Blocks that earlier operators computed of the results that this step completes. */
  readonly earlier?: readonly (Holding | undefined)[];
}

/** Step that may be computed by the kernels of the step whose result it reads. */
export interface FollowingWork extends LocalWork {
  readonly reads: BufferId;
}
