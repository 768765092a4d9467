import type { Trace, TracedTensor } from "#language/document/trace";

/** The training step of a program, with the facts that determine MindSpore's backward pass. */
export interface TrainedStep {
  readonly loss: TracedTensor;
  readonly isTrained: (parameter: TracedTensor) => boolean;
  /** Whether the gradient of the loss is a constant of the program; `undefined` if not known. */
  readonly isSeedConstant: boolean | undefined;
  /** Why the backward pass is not compiled by the plain rule. */
  readonly unknown?: string;
}

const recordName = "the training step of MindSpore";

/** Records the training step of a run. */
export function noteStep({ bySystem }: Pick<Trace, "bySystem">, step: TrainedStep): void {
  bySystem.set(recordName, step);
}

/** The training step of a run; `undefined` without one. */
export function trainedStep({ bySystem }: Pick<Trace, "bySystem">): TrainedStep | undefined {
  return bySystem.get(recordName) as TrainedStep | undefined;
}
