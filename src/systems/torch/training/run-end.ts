import type { Fix, Span } from "#core/diagnostics";
import type { Optimizer, OptimizerNumbers } from "#core/training";
import type { BackwardCall } from "#language/document/bindings";
import {
  dropDataMaking,
  dropUnreadInputs,
  keepOneStep,
  type Trace,
  type TracedTensor,
  type TrainPolicy,
} from "#language/document/trace";
import type { TrainingRecord, Update } from "./record.ts";

/** The facts of a run that its end needs for the training step. */
interface TrainedRun {
  readonly record: TrainingRecord;
  readonly trace: Trace;
  readonly backwardCalls: readonly BackwardCall[];
  readonly source: string;
  /** The data types that parallel words say; absent where the text runs on one device. */
  readonly policy: TrainPolicy | undefined;
  /** Whether the text takes a tensor's gradient off: `requires_grad = False`. */
  readonly isOff: (tensor: TracedTensor) => boolean;
}

/**
 * The training step that a program runs itself, by `backward()` and an optimizer's `step()`: the
 * first one is drawn. A `train(…)` of the text counts before it.
 */
export function endTraining(run: TrainedRun): void {
  const { record, trace, backwardCalls, policy } = run;
  freeze(run);
  const [first] = backwardCalls;
  if (first === undefined) return;
  const [update] = record.updates;
  if (update === undefined && policy === undefined) {
    sayGradientsAlone(trace, first.span, run.source);
    return;
  }
  keepStep(run, first, update);
  if (update !== undefined) trace.leftOutFrom = statementBehind(run.source, update.place);
  if (trace.training.length > 0) return;
  sayPart(trace, update);
  trace.training.push({
    ...{ loss: first.tensor, ...updateOf(run, update) },
    ...{ microbatches: 1, zero: 0, recompute: [], policy: policy ?? {}, isOfSystem: true },
    span: first.span,
  });
}

/**
 * Marks parameters without a gradient as frozen: the step computes with them and does not update
 * them.
 */
function freeze({ trace, isOff }: TrainedRun): void {
  for (const tensor of trace.tensors) {
    const parts = trace.stacks.get(tensor) ?? [tensor];
    if (tensor.role === "parameter" && parts.every(isOff)) tensor.isFrozen = true;
  }
}

/**
 * Notes that an optimizer updates only some of the parameters with gradients, though the step is
 * drawn with all of them.
 */
function sayPart(trace: Trace, update: Update | undefined): void {
  const { trained, span } = update ?? {};
  if (trained === undefined || span === undefined || trained.size === 0) return;
  const read = new Set(trace.operators.flatMap(({ inputs }) => inputs));
  const all = trace.tensors.filter(
    (each) => each.role === "parameter" && each.isFrozen !== true && read.has(each),
  );
  const isTrained = (tensor: TracedTensor) =>
    trained.has(tensor) || trace.stacks.get(tensor)?.some((each) => trained.has(each)) === true;
  const count = all.filter(isTrained).length;
  if (count === all.length) return;
  trace.diagnostics.push({
    code: "torch/not-modelled",
    severity: "warning",
    message: `not modelled: an update of ${count} of ${all.length} parameters alone: the step is drawn with all of them`,
    span,
  });
}

/** The start of the module's next statement behind a place. */
function statementBehind(source: string, place: number): number {
  const next = /\n(?=[^\s#)\]}])(?!(?:else|elif|except|finally)\b)/gu;
  next.lastIndex = place;
  return next.exec(source)?.index ?? source.length;
}

/** Leaves of several steps, and of what the text runs after them, the first one; and says so. */
function keepStep(
  { record, trace, backwardCalls }: TrainedRun,
  first: BackwardCall,
  update: Update | undefined,
): void {
  const ends = update?.backwardPasses ?? backwardCalls.length;
  const isSame = ({ span }: BackwardCall) => span.from === first.span.from;
  const passes = backwardCalls.slice(0, ends).filter(isSame);
  const others = new Set(
    backwardCalls.filter((call) => !isSame(call)).map(({ span }) => span.from),
  );
  const leftOut = keepOneStep(trace, passes, update?.operators);
  dropDataMaking(trace);
  dropUnreadInputs(trace);
  const say = (code: DiagnosticCode, message: string, severity: "info" | "warning" = "info") =>
    trace.diagnostics.push({ code, severity, message, span: first.span });
  if (others.size > 0)
    say(
      "torch/several-losses",
      `${others.size + 1} losses are differentiated: the board draws the backward pass of this one alone`,
      "warning",
    );
  if (update !== undefined && (passes.length > 1 || trace.rounds.hasEndedPasses))
    say(
      "torch/one-pass",
      "a step adds up the gradients of several passes: the board shows one of them, and the update",
    );
  const isLoop =
    trace.rounds.hasEndedLoop || (update === undefined ? passes : record.updates).length > 1;
  const beside = leftOut.evaluation ? ", and nothing that the text evaluates beside it" : "";
  if (isLoop) say("torch/one-step", `the text trains in a loop: the board shows one step${beside}`);
  else if (leftOut.later || leftOut.evaluation)
    say("torch/one-step", "the board shows the training step, and nothing else that the text runs");
}

/** The optimizer that a text makes; plain descent where it makes none that can be drawn. */
function updateOf(
  { trace, source }: TrainedRun,
  update: Update | undefined,
): { readonly optimizer: Optimizer; readonly numbers: OptimizerNumbers } {
  if (update === undefined) return { optimizer: optimizerIn(source), numbers: {} };
  const { name, kind, numbers, span } = update;
  if (kind !== undefined) return { optimizer: kind, numbers };
  trace.diagnostics.push({
    code: "torch/not-modelled",
    severity: "warning",
    message: `not modelled: ${name}: the update is drawn as plain descent`,
    span,
  });
  return { optimizer: "sgd", numbers: {} };
}

/** The optimizer that a text without a step names. */
function optimizerIn(source: string): Optimizer {
  const [, name = "SGD"] = /\b(AdamW|Adam|SGD)\(/u.exec(source) ?? [];
  if (name === "AdamW") return "adamw";
  if (name === "Adam") return "adam";
  return /\bSGD\([^)]*\bmomentum\s*=/u.test(source) ? "momentum" : "sgd";
}

function sayGradientsAlone(trace: Trace, span: Span, source: string): void {
  if (trace.training.length > 0) return;
  trace.diagnostics.push({
    code: "torch/gradients-alone",
    severity: "info",
    message:
      "the backward pass is not drawn, since no optimizer's step() follows: train(loss) draws a training step",
    span,
    fixes: trainingBehind(source, span),
  });
}

/** `train(loss)` on the line behind `loss.backward()`, where that is a statement of its own. */
function trainingBehind(source: string, { from, to }: Span): readonly Fix[] {
  const loss = /^([\w.]+)\.backward\(/u.exec(source.slice(from, to))?.[1];
  const isAlone =
    /(?:^|\n)$/u.test(source.slice(0, from)) && /^[ \t]*(?:#|\r?\n|$)/u.test(source.slice(to));
  if (loss === undefined || !isAlone) return [];
  const end = source.indexOf("\n", to);
  const place = end < 0 ? source.length : end;
  const text = `train(${loss})`;
  return [{ title: `Add ${text}`, edits: [{ from: place, to: place, text: `\n${text}` }] }];
}
