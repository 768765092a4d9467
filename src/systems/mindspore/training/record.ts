import type { Diagnostic, Span } from "#core/diagnostics";
import type { Optimizer } from "#core/training";
import type { Recorder, TracedTensor } from "#language/document/trace";
import type { Value } from "#language/python";

/** A differentiated tensor, with the number of operators traced before it. */
export interface Differentiated {
  readonly tensor: TracedTensor;
  readonly operators: number;
  readonly span: Span;
}

/** An optimizer that a program calls. */
export interface Update {
  readonly name: string;
  /** The kind of update that the graph draws; `undefined` if it is not drawn. */
  readonly kind: Optimizer | undefined;
  readonly span: Span;
}

/** The training of a program, recorded while it runs. */
export class TrainingRecord {
  /** Losses differentiated with respect to parameters, in order. */
  readonly differentiated: Differentiated[] = [];
  /** Gradients with respect to inputs only, which train nothing. */
  readonly ofInputs: Span[] = [];
  readonly updates: Update[] = [];
  /** Tensors in place of gradients, with the name of the differentiated tensor. */
  readonly gradients = new Map<TracedTensor, string>();
  /** Tensors that scale a gradient; they are not drawn. */
  readonly scales = new Set<TracedTensor>();
  /** Cells that are recomputed in the backward pass. */
  readonly recomputed = new Set<Value>();
  /** The trained parameters; `undefined` if they are not known, or all are trained. */
  weights: Set<TracedTensor> | undefined;
  /** Span of a gradient call whose loss value the text does not compute elsewhere. */
  withoutValue: Span | undefined;
  /** Whether a tensor scales the gradient of the loss. */
  isScaled = false;
  microbatches = 1;
  private readonly said = new Set<string>();
  private readonly recorder: Recorder;

  constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  /** Warns once that a feature is not modelled. */
  notModelled(what: string, then: string, span: Span): void {
    this.say({
      code: "mindspore/not-modelled",
      severity: "warning",
      message: `not modelled: ${what}: ${then}`,
      span,
    });
  }

  /** Reports a diagnostic unless one with the same message was reported. */
  say(diagnostic: Diagnostic): void {
    if (this.said.has(diagnostic.message)) return;
    this.said.add(diagnostic.message);
    this.recorder.report(diagnostic);
  }
}
