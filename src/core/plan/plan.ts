import type { Span } from "#core/diagnostics";
import {
  type Graph,
  type Operator,
  type OperatorId,
  type Status,
  type Tensor,
  type TensorId,
  wildcardMatcher,
} from "#core/ir";
import { type DeviceMesh, type DimLayout, type Layout, type Part, sameBlocks } from "#core/mesh";

/**
 * The cuts of an operator: mesh parts per index axis, outermost first; an absent axis is not cut.
 */
export interface Strategy {
  readonly cuts: Readonly<Record<string, readonly Part[]>>;
  /** Lengths of the pieces of a cut index axis, in order, if they are not blocks of the ceiling. */
  readonly sizes?: Readonly<Record<string, readonly number[]>>;
  /** Parts over which the operator passes a partial operand through. */
  readonly carry: readonly Part[];
}

/**
 * Limits on the cuts of a plan: for an operator and a mesh axis, the identifiers that the axis may
 * cut, or `null` for none. Operators and axes without an entry are free.
 */
export type CutLimits = ReadonlyMap<OperatorId, Readonly<Record<string, readonly CutName[]>>>;
type CutName = string | null;

/**
 * A wrong way to run an operator that the text demands. The operator is run that way and never
 * repaired, so its values may differ from those of the unsharded program (program.md,
 * `unverified`).
 */
export interface Unverified {
  /** Attribute of the text that requires it, e.g. `cross_batch`. */
  readonly rule: string;
  /** Index axes that are cut in addition to the strategy, without combining their parts. */
  readonly axes?: Readonly<Record<string, DimLayout>>;
  /**
   * Layouts of operands that are used without redistribution, by tensor. Each device then runs the
   * operator on its own blocks as if they were whole tensors.
   */
  readonly layouts?: ReadonlyMap<TensorId, Layout>;
}

/** The strategy of one operator, on its own arrangement of the devices when it has one. */
export interface OperatorPlan {
  readonly strategy: Strategy;
  readonly mesh: DeviceMesh;
  readonly status: Status;
  readonly span?: Span;
  /**
   * The layout in which an operator that reduces inside leaves its result, if not simply combined.
   */
  readonly reduced?: Layout;
  readonly unverified?: Unverified;
  /**
   * Whether the operator itself combines its pieces' results over a cut dim that the result lacks.
   */
  readonly isCombinedInside?: true;
}

/** The layout of an input, parameter or placed tensor. */
export interface Placement {
  readonly layout: Layout;
  readonly status: Status;
  readonly span?: Span;
}

/**
 * A choice of the steps of a tensor's redistributions, in place of the default (architecture.md
 * §4).
 */
export interface ReshardRequest {
  /** The name of a tensor, or names with `*`. */
  readonly target: string;
  /**
   * The number of communicating steps, which names a plan of our own front; or a system, for its
   * own steps.
   */
  readonly steps: number | string;
  /** Only for redistributions to this layout. */
  readonly to?: Layout;
  readonly span?: Span;
}

/** A strategy per operator and a layout per input and parameter (architecture.md §1). */
export interface Plan {
  readonly mesh: DeviceMesh;
  readonly operators: ReadonlyMap<OperatorId, OperatorPlan>;
  /** Layouts at rest of inputs and parameters; of activations only where the text places them. */
  readonly placements: ReadonlyMap<TensorId, Placement>;
  /** Requests in the order of the text; `reshardRequestOf` selects the effective one. */
  readonly reshards?: readonly ReshardRequest[];
  /** Layouts in which partial results must end, for results that are not just combined. */
  readonly ends?: ReadonlyMap<TensorId, Layout>;
  /** The cut of the batch into micro-batches, which run one after the other. */
  readonly microbatches?: Microbatches;
  /** Parameters that are gathered again for the backward pass of every operator that reads them. */
  readonly gatheredAgain?: ReadonlySet<TensorId>;
  /** Parameters whose backward pass reuses the copy gathered for the forward pass. */
  readonly keptGathered?: ReadonlySet<TensorId>;
  /** Whether activations that are cut are gathered again for the backward pass. */
  readonly gathersActivationsAgain?: true;
}

/**
 * Gradient accumulation: forward and backward run `count` times, each time on another equal part of
 * the batch's rows; the update runs once (planner.md §6.3).
 *
 * Graph and layouts describe the whole batch. In every run, a tensor that is cut here has a
 * `count`-th of its rows, distributed by its layout.
 */
export interface Microbatches {
  /** At least 2. */
  readonly count: number;
  /** Tensors of which each run holds only its own rows, with the dim of those rows. */
  readonly dims: ReadonlyMap<TensorId, number>;
  /** Operators that work on rows, with the identifier of the rows. */
  readonly axes: ReadonlyMap<OperatorId, string>;
  /** Tensors whose runs each compute a partial sum; the sum over all runs is the tensor. */
  readonly shares: ReadonlySet<TensorId>;
}

/** The shape of a tensor in one run; its own shape without micro-batches, or if it is not cut. */
export function runShape(
  microbatches: Microbatches | undefined,
  { id, shape }: Pick<Tensor, "id" | "shape">,
): readonly number[] {
  const cut = microbatches?.dims.get(id);
  if (microbatches === undefined || cut === undefined) return shape;
  return shape.map((size, dim) => (dim === cut ? size / microbatches.count : size));
}

/** The graph of one run: tensors that are cut into micro-batches have its rows alone. */
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

/** Whether a request applies to the redistribution of a tensor to a layout. */
export function reshardMatches(
  { target, to }: ReshardRequest,
  { name, shape }: Pick<Tensor, "name" | "shape">,
  wanted: Layout,
): boolean {
  if (!wildcardMatcher(target)(name)) return false;
  return to === undefined || (to.dims.length === shape.length && sameBlocks(to, wanted, shape));
}

/**
 * The index of the request that a redistribution follows. One that names the tensor beats one with
 * wildcards, then one that names the layout beats one that does not, then the later beats the
 * earlier. `undefined` if none applies.
 */
export function reshardRequestOf(
  requests: readonly ReshardRequest[],
  tensor: Pick<Tensor, "name" | "shape">,
  wanted: Layout,
): number | undefined {
  let [best, rank] = [undefined as number | undefined, -1];
  for (const [at, request] of requests.entries()) {
    const own = (request.target === tensor.name ? 2 : 0) + (request.to === undefined ? 0 : 1);
    if (own < rank || !reshardMatches(request, tensor, wanted)) continue;
    [best, rank] = [at, own];
  }
  return best;
}
