import type { Span } from "#core/diagnostics";
import type { Optimizer, OptimizerNumbers } from "#core/training";
import type { TracedTensor } from "#language/document/trace";

/** A call of an optimizer's `step()`. */
export interface Update {
  /** The optimizer's class, as torch names it. */
  readonly name: string;
  /** The optimizer as the graph draws it; absent if it is not drawn. */
  readonly kind: Optimizer | undefined;
  readonly numbers: OptimizerNumbers;
  /** The parameters that the optimizer updates; absent where that is not known. */
  readonly trained: ReadonlySet<TracedTensor> | undefined;
  /** How many operators the program had then. */
  readonly operators: number;
  /** How many backward passes it had run. */
  readonly backwardPasses: number;
  readonly span: Span;
  /** Position of the top-level statement that runs the update. */
  readonly place: number;
}

/** The training that one run of a program records. */
export class TrainingRecord {
  readonly updates: Update[] = [];
}
