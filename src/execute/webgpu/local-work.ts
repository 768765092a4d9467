import type { Operator, TensorId } from "#core/ir";
import type { IndexRange } from "#core/program";
import type { BufferId } from "./gpu-program.ts";
import type { Holding } from "./program-builder.ts";

/** A step of an operator: what it reads, and where what it makes goes. */
export interface LocalWork {
  readonly operator: Operator;
  readonly ranges: readonly IndexRange[];
  readonly inputs: readonly Holding[];
  readonly outputs: readonly Holding[];
  readonly shapeOf: (tensor: TensorId) => readonly number[];
  /** What earlier operators made of the same results, of which this one makes a part. */
  readonly earlier?: readonly (Holding | undefined)[];
}

/** A step that may be made along with another, whose result it reads from a buffer. */
export interface FollowingWork extends LocalWork {
  readonly reads: BufferId;
}
