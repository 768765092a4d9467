import type { Diagnostic, Span } from "#core/diagnostics";
import type { DType, Graph, OperatorId, TensorId } from "#core/ir";
import type { Plan, Requests } from "#core/plan";

/** The policies of data types under which a step may train, by name. */
export const precisions = ["as-written", "autocast", "megatron", "fsdp"] as const;

/**
 * The data types in which a training step keeps its weights and computes.
 *
 * `as-written`: gradients and the optimizer's state are of the parameter's type. `autocast`:
 * weights and state in f32, products in bf16. `megatron`: weights in bf16, with a main gradient, a
 * master copy and state in f32. `fsdp`: parameters, gradients and state in f32, cast to bf16 to be
 * gathered and computed with.
 */
export type Precision = (typeof precisions)[number];

/** The ways to update parameters; each has its state tensors. */
export type Optimizer = "sgd" | "momentum" | "adam" | "adamw";

/**
 * Hyperparameters of an optimizer, by the names of its operator's attributes; missing ones have
 * their usual values.
 */
export type OptimizerNumbers = Readonly<
  Partial<Record<"lr" | "beta1" | "beta2" | "eps" | "weight_decay", number>>
>;

/** Traffic of a training step that may overlap with compute: that of weights, or none. */
export const overlaps = ["weights", "none"] as const;

/** One of `overlaps`, as texts write it. */
export type Overlap = (typeof overlaps)[number];

/** A part of a program that the backward pass may compute again. */
export interface RecomputedBlock {
  readonly name: string;
  /** The operators whose results are then not kept. */
  readonly recompute: readonly OperatorId[];
  /** Operators of which only the results are kept (`Training.handsOn`). */
  readonly handsOn: readonly OperatorId[];
}

/**
 * Limit on a device's bytes at the peak of a step, and the blocks that may be recomputed to meet
 * it.
 */
export interface RecomputeBudget {
  readonly bytes: number;
  /** The blocks in the order in which they run. */
  readonly blocks: readonly RecomputedBlock[];
}

/** The options of a training step (architecture.md §2.1, `train`). */
export interface Training {
  /** The tensor that is differentiated; its own gradient is ones. */
  readonly loss: TensorId;
  readonly optimizer: Optimizer;
  readonly numbers?: OptimizerNumbers;
  /**
   * The ZeRO level: the tensors that are split over the axes along which a parameter's gradient is
   * summed (planner.md §6.3). 1: the optimizer's state, 2: the gradients too, 3: the parameters
   * too.
   */
  readonly zero: 0 | 1 | 2 | 3;
  /** Operators whose results are not kept for the backward pass but computed again. */
  readonly recompute: ReadonlySet<OperatorId>;
  /**
   * Limit on the bytes of the step's peak: as few blocks as necessary are recomputed to meet it.
   */
  readonly budget?: RecomputeBudget;
  /**
   * Operators whose results are kept, since readers in other blocks begin with them. The memory
   * that their kernels keep for the backward pass is not kept, but recomputed.
   */
  readonly handsOn?: ReadonlySet<OperatorId>;
  /** Parts that run again as a whole before their backward pass, each in order. */
  readonly runsAgain?: readonly (readonly OperatorId[])[];
  /** The number of micro-batches, run one after the other; 1 if absent. */
  readonly microbatches?: number;
  /** Data types of the training step; `as-written` if absent. */
  readonly precision?: Precision;
  /** Data type of main gradients under `megatron`; f32 if absent. */
  readonly gradients?: DType;
  /** Data type of the sum of gradients over devices under `fsdp`; f32 if absent. */
  readonly reduces?: DType;
  /** Whether a compiler fuses chains of kernels; the default of the text's system if absent. */
  readonly compiled?: boolean;
  /** The work that may run at the same time; the traffic of weights beside compute if absent. */
  readonly overlap?: Overlap;
  /** Place of the request in the text. */
  readonly span?: Span;
}

/** A graph with backward and update operators, and their requests to a plan. */
export interface TrainingGraph {
  readonly graph: Graph;
  /** The plans of the forward operators, and the plans of added operators that follow from them. */
  readonly requests: Requests;
  /** Further parts of the plan, which are not propagated. */
  readonly asked: Pick<
    Plan,
    "microbatches" | "gatheredAgain" | "keptGathered" | "gathersActivationsAgain"
  >;
  readonly diagnostics: readonly Diagnostic[];
}
