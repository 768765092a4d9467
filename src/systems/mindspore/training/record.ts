import type { Diagnostic, Span } from "#core/diagnostics";
import type { Optimizer } from "#core/training";
import type { Recorder, TracedTensor } from "#language/document/trace";
import type { Value } from "#language/python";

/** A gradient that a program takes: of what, and how many operators it had then. */
export interface Differentiated {
  readonly tensor: TracedTensor;
  readonly operators: number;
  readonly span: Span;
}

/** An optimizer that a program calls. */
export interface Update {
  readonly name: string;
  /** The optimizer as the graph draws it; absent if it is not drawn. */
  readonly kind: Optimizer | undefined;
  readonly span: Span;
}

/** The training of a program, recorded while it runs. */
export class TrainingRecord {
  /** Gradients of parameters, in order. */
  readonly differentiated: Differentiated[] = [];
  /** Gradients of inputs alone, which train nothing. */
  readonly ofInputs: Span[] = [];
  readonly updates: Update[] = [];
  /** Tensors that stand for gradients, and of what. */
  readonly gradients = new Map<TracedTensor, string>();
  /** Tensors that scale a gradient; they are not drawn. */
  readonly scales = new Set<TracedTensor>();
  /** Cells that are computed again for the backward pass. */
  readonly recomputed = new Set<Value>();
  /** The parameters that are trained; absent where that is not known, or all are. */
  weights: Set<TracedTensor> | undefined;
  /** Where gradients of parameters are taken of a value that the text does not compute besides. */
  withoutValue: Span | undefined;
  /** The gradient of the loss is scaled by a tensor. */
  isScaled = false;
  microbatches = 1;
  private readonly said = new Set<string>();
  private readonly recorder: Recorder;

  constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  /** Says once of a word that nothing here follows it. */
  notModelled(what: string, then: string, span: Span): void {
    this.say({
      code: "mindspore/not-modelled",
      severity: "warning",
      message: `not modelled: ${what}: ${then}`,
      span,
    });
  }

  /** Says something once, whatever its place. */
  say(diagnostic: Diagnostic): void {
    if (this.said.has(diagnostic.message)) return;
    this.said.add(diagnostic.message);
    this.recorder.report(diagnostic);
  }
}
