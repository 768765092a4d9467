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
  /** Where the statement of the module stands that runs it. */
  readonly place: number;
}

/** What one run of a program says of its training. */
export class TrainingRecord {
  readonly updates: Update[] = [];
}
