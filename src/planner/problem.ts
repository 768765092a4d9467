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
  /** The cost model that is minimised; when absent the product's own, whose costs are on screen. */
  readonly model?: CostModel;
  /** Layouts that stand: of inputs and parameters at rest, of results as the text places them. */
  readonly placements: ReadonlyMap<TensorId, Layout>;
  /** Whole strategies that stand. */
  readonly pins: ReadonlyMap<OperatorId, Strategy>;
  /** What strategies that are not pinned may cut; anything when unsaid. */
  readonly limits?: CutLimits;
  /** How results of the program have to end. */
  readonly ends: ReadonlyMap<TensorId, Layout>;
  /** Whether other results end in their sum alone, as a text has it; in any layout when unsaid. */
  readonly endsInSums?: boolean;
  /** What makes it a training step; forward alone when absent. */
  readonly training?: Pick<Training, "loss" | "optimizer" | "zero"> &
    Partial<
      Pick<
        Training,
        "recompute" | "handsOn" | "runsAgain" | "budget" | "overlap" | "precision" | "gradients"
      >
    >;
  /** How the batch is cut into runs (planner.md §6.3); priced by the product's own costs alone. */
  readonly microbatches?: Microbatches;
  /** Bytes that one device may hold. */
  readonly memoryLimit?: number;
  /** Whether partial sums pass through linear operators; they are combined at once when unsaid. */
  readonly partials?: "reduce" | "flow";
  readonly forbid?: readonly Collective[];
  /** Whether an operator that contracts may leave mesh axes unused; it may when unsaid. */
  readonly redundant?: boolean;
  /** Whether pieces may be unequal. */
  readonly uneven?: boolean;
}
