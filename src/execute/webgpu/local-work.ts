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
  /** The blocks that earlier operators made of results that this one completes. */
  readonly earlier?: readonly (Holding | undefined)[];
}

/** A step that may be made along with the step whose result it reads. */
export interface FollowingWork extends LocalWork {
  readonly reads: BufferId;
}
