import type { Graph, Operator, OperatorId, Tensor, TensorId } from "#core/ir";

/**
 * Gradient accumulation: forward and backward run `count` times, each time on one of as many equal
 * runs of the batch's rows, and the update once (planner.md §6.3).
 *
 * Graph and layouts speak of the whole batch: a tensor that is cut here lies, in every run, as its
 * layout says of a tensor that has a `count`-th of its rows.
 */
export interface Microbatches {
  /** At least 2. */
  readonly count: number;
  /** Tensors of which a run holds its own rows only, and the dim that the rows are counted on. */
  readonly dims: ReadonlyMap<TensorId, number>;
  /** Operators that work on rows, and the identifier that counts them. */
  readonly axes: ReadonlyMap<OperatorId, string>;
  /** Tensors of which every run makes a share: the shares of all runs add up to them. */
  readonly shares: ReadonlySet<TensorId>;
}

/** What one run holds of a tensor: all of it where there are no micro-batches, or it is not cut. */
export function runShape(
  microbatches: Microbatches | undefined,
  { id, shape }: Pick<Tensor, "id" | "shape">,
): readonly number[] {
  const cut = microbatches?.dims.get(id);
  if (microbatches === undefined || cut === undefined) return shape;
  return shape.map((size, dim) => (dim === cut ? size / microbatches.count : size));
}

/** The program as one run sees it: its own rows of what is cut, everything else whole. */
export function graphOfRun(graph: Graph, microbatches: Microbatches): Graph {
  const operators = graph.operators.map((operator): Operator => {
    const rows = microbatches.axes.get(operator.id);
    if (rows === undefined) return operator;
    const { count } = microbatches;
    const axes = operator.axes.map((axis) =>
      axis.name === rows ? { ...axis, size: axis.size / count } : axis,
    );
    return { ...operator, axes };
  });
  const tensors = graph.tensors.map((tensor) => ({
    ...tensor,
    shape: runShape(microbatches, tensor),
  }));
  return { ...graph, tensors, operators };
}
