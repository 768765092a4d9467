import type { Graph, OperatorId, TensorId } from "../graph.ts";

/** Piece of a cut operator: the axis, the number of pieces and the index of this one. */
export interface BodyPiece {
  readonly axis: string;
  readonly count: number;
  readonly index: number;
}

/** A call of a registered function on operands of its own sizes: whole ones, or those of a device. */
export interface BodyCall {
  readonly operator: OperatorId;
  /** Shapes of the operator's tensor inputs, in order. */
  readonly shapes: readonly (readonly number[])[];
  /** Length of each index axis in this call; arguments of the same name have that value. */
  readonly lengths: Readonly<Record<string, number>>;
  /** The piece of the operator, one entry per cut; empty for the whole operator. */
  readonly pieces: readonly BodyPiece[];
}

/**
 * The computation of a registered function on operands of given shapes, as a graph of library
 * operators.
 */
export interface TracedBody {
  readonly graph: Graph;
  /** The operands, in the order of the operator's tensor inputs. */
  readonly inputs: readonly TensorId[];
  /** The results in order; absent for one that is no tensor. */
  readonly outputs: readonly (TensorId | undefined)[];
  /** Tensors that the function makes out of numbers, row-major. */
  readonly constants: ReadonlyMap<TensorId, Float64Array>;
}

/** A traced body, or the reason why there is none, in the words of the text. */
export type BodyOutcome =
  | { readonly ok: true; readonly body: TracedBody }
  | { readonly ok: false; readonly reason: string };

/**
 * Runs the body of a registered function on symbolic operands, as the system itself runs it on the
 * pieces of a device (dimops.md §4). Equal calls are traced once.
 */
export type TraceBody = (call: BodyCall) => BodyOutcome;

/** Whether two shapes are the same, where a scalar counts as `(1,)`. */
export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  const [left, right] = [a, b].map((shape) => (shape.length === 0 ? [1] : shape));
  return (
    left?.length === right?.length && left?.every((size, dim) => size === right?.[dim]) === true
  );
}
