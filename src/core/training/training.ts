import type { Diagnostic, Span } from "#core/diagnostics";
import type { Graph, OperatorId, TensorId } from "#core/ir";
import type { Plan, Requests } from "#core/plan";

/** How parameters are updated; each has its state tensors. */
export type Optimizer = "sgd" | "momentum" | "adam" | "adamw";

/** The numbers of an optimizer, by the names that its operator has for them; others are usual. */
export type OptimizerNumbers = Readonly<
  Partial<Record<"lr" | "beta1" | "beta2" | "eps" | "weight_decay", number>>
>;

/** What makes a program a training step (design.md §2, `train`). */
export interface Training {
  /** What is differentiated; its own gradient is ones. */
  readonly loss: TensorId;
  readonly optimizer: Optimizer;
  readonly numbers?: OptimizerNumbers;
  /**
   * What lies split over the axes that a parameter's gradient is summed over (planner.md §6.3):
   * 1 the optimizer's state, 2 the gradients too, 3 the parameters too.
   */
  readonly zero: 0 | 1 | 2 | 3;
  /** Operators whose results are not kept for the backward pass but computed again. */
  readonly recompute: ReadonlySet<OperatorId>;
  /** Into how many parts, run one after the other, the batch is cut; 1 when unsaid. */
  readonly microbatches?: number;
  /** Where the text says so. */
  readonly span?: Span;
}

/** A graph with backward and update operators, and what they ask of a plan. */
export interface TrainingGraph {
  readonly graph: Graph;
  /** The plan of the forward operators, and that of the others where they follow from it. */
  readonly requests: Requests;
  /** What else the plan has to say; nothing of it is propagated. */
  readonly asked: Pick<Plan, "microbatches" | "gatheredAgain" | "keptGathered">;
  readonly diagnostics: readonly Diagnostic[];
}
