import type { Collective } from "#core/collective";
import type { CostModel, Hardware } from "#core/cost";
import type { Graph, OperatorId, TensorId } from "#core/ir";
import type { DeviceMesh, Layout } from "#core/mesh";
import type { CutLimits, Microbatches, Strategy } from "#core/plan";
import type { Training } from "#core/training";

/** A request to a planner. */
export interface PlanRequest {
  readonly graph: Graph;
  readonly mesh: DeviceMesh;
  readonly hardware: Hardware;
  /** The cost model to minimise; by default the product's own, whose costs are on screen. */
  readonly model?: CostModel;
  /** Fixed layouts: of inputs and parameters at rest, of results as the text places them. */
  readonly placements: ReadonlyMap<TensorId, Layout>;
  /** Fixed strategies, each whole. */
  readonly pins: ReadonlyMap<OperatorId, Strategy>;
  /** The identifiers that strategies without a pin may cut; all if absent. */
  readonly limits?: CutLimits;
  /** Layouts in which results of the program must end. */
  readonly ends: ReadonlyMap<TensorId, Layout>;
  /**
   * Whether other results only have their partial sums combined, as in a text; by default they end
   * in any layout.
   */
  readonly endsInSums?: boolean;
  /** The options of a training step; forward alone if absent. */
  readonly training?: Pick<Training, "loss" | "optimizer" | "zero"> &
    Partial<
      Pick<
        Training,
        "recompute" | "handsOn" | "runsAgain" | "budget" | "overlap" | "precision" | "gradients"
      >
    >;
  /** The cut of the batch into runs (planner.md §6.3); only the product's own costs price it. */
  readonly microbatches?: Microbatches;
  /** Bytes that one device may hold. */
  readonly memoryLimit?: number;
  /** Whether partial sums pass through linear operators; by default they are combined at once. */
  readonly partials?: "reduce" | "flow";
  readonly forbid?: readonly Collective[];
  /** Whether an operator that contracts may leave mesh axes unused; true by default. */
  readonly redundant?: boolean;
  /** Whether pieces may be unequal. */
  readonly uneven?: boolean;
}
