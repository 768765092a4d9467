import type { Trace, TracedTensor } from "#language/document/trace";

/** What a program differentiates in its training step, as its backward pass is compiled. */
export interface TrainedStep {
  readonly loss: TracedTensor;
  readonly isTrained: (parameter: TracedTensor) => boolean;
  /** Whether the gradient of the loss is a constant of the program. */
  readonly isSeedConstant: boolean | undefined;
  /** Why the backward pass is compiled otherwise than that of a plain step. */
  readonly unknown?: string;
}

const recordName = "the training step of MindSpore";

/** Notes the training step of a run. */
export function noteStep({ bySystem }: Pick<Trace, "bySystem">, step: TrainedStep): void {
  bySystem.set(recordName, step);
}

/** The training step of a run; `undefined` without one. */
export function trainedStep({ bySystem }: Pick<Trace, "bySystem">): TrainedStep | undefined {
  return bySystem.get(recordName) as TrainedStep | undefined;
}
