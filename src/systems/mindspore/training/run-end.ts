import type { Span } from "#core/diagnostics";
import {
  keepOneStep,
  runsOf,
  type Trace,
  type TracedOperator,
  type TracedTensor,
} from "#language/document/trace";
import { parallelSetting } from "../plans/parallel-mode.ts";
import type { TrainingRecord } from "./record.ts";
import { noteStep } from "./trained-step.ts";

/**
 * Adds the training step of a finished run to the trace, and reports the parts that are not drawn.
 */
export function endTraining(record: TrainingRecord, trace: Trace, source: string): void {
  const { recomputed, scales, gradients } = record;
  if (recomputed.size > 0)
    trace.checkpoints.push(...runsOf(trace.operators, (module) => recomputed.has(module)));
  for (const tensor of scales) drop(tensor, trace);
  dropUnread(gradients, record, trace);
  if (trace.training.length > 0) return;
  const [first] = record.differentiated;
  if (first === undefined) sayUntrained(record);
  else train(record, first, trace, source);
}

/** Removes an unread tensor from the trace, with the operator that only produced it. */
function drop(tensor: TracedTensor, trace: Trace): void {
  const { tensors, operators } = trace;
  const isRead = operators.some(({ inputs }) => inputs.includes(tensor));
  const at = tensors.indexOf(tensor);
  if (isRead || at < 0) return;
  tensors.splice(at, 1);
  const { producer } = tensor;
  if (producer === undefined || producer.outputs.length > 1) return;
  operators.splice(operators.indexOf(producer), 1);
  for (const input of producer.inputs)
    if (input.kind === "tensor" && input.role === "input") drop(input, trace);
}

function dropUnread(
  gradients: TrainingRecord["gradients"],
  record: TrainingRecord,
  trace: Trace,
): void {
  const read = new Set(trace.operators.flatMap(({ inputs }) => inputs));
  for (const [tensor, of] of gradients) {
    if (!read.has(tensor)) drop(tensor, trace);
    else
      record.say({
        code: "document/gradient-as-input",
        severity: "info",
        message: `the gradient of ${of} is read as an input of the same shape`,
        span: tensor.span,
      });
  }
}

/**
 * Reports that only the forward pass is drawn, for gradients of inputs only or updates without
 * gradients.
 */
function sayUntrained(record: TrainingRecord): void {
  const [update] = record.updates;
  const [asked] = record.ofInputs;
  if (asked !== undefined)
    record.notModelled(
      "the gradient of what a net is called with",
      "the forward pass is drawn; give the parameters to differentiate, or write train(…), for a training step",
      asked,
    );
  else if (update !== undefined)
    record.say({
      code: "mindspore/update-not-drawn",
      severity: "warning",
      message: `${update.name} updates the parameters when the net runs: that is not drawn; train(…) draws a training step`,
      span: update.span,
    });
}

function train(
  record: TrainingRecord,
  { tensor, span }: TrainingRecord["differentiated"][number],
  trace: Trace,
  source: string,
): void {
  const steps = record.differentiated.length;
  if (keepOneStep(trace, record.differentiated).later)
    record.say({
      code: "mindspore/one-step",
      severity: "info",
      message: `the text trains ${steps} steps: the board shows one of them`,
      span,
    });
  sayPart(record, trace, span);
  saySparse(record, trace);
  sayWithoutValue(record, trace);
  noteTrained(record, tensor, trace, source);
  trace.training.push({
    ...{ loss: tensor, optimizer: optimizerOf(record, span), numbers: {} },
    ...{
      microbatches: microbatchesOf(record, trace, span),
      zero: 0,
      policy: {},
      isOfSystem: true,
      span,
    },
    recompute: trace.operators.filter(isAgain).flatMap(({ outputs }) => outputs.slice(0, 1)),
  });
}

/**
 * Number of micro-batches of the step. Pipeline stages are not read and all operators drawn on all
 * devices, so the micro-batches of a pipeline may not divide among the devices; then 1, with a
 * warning.
 */
function microbatchesOf(record: TrainingRecord, trace: Trace, span: Span): number {
  const { microbatches } = record;
  const { unread = [], devices = 1 } = parallelSetting(trace) ?? {};
  const rows = trace.tensors.flatMap(({ fed, shape }) =>
    fed === undefined ? [] : (shape?.[0] ?? []),
  );
  const divides = rows.every((each) => Number(each) % (microbatches * devices) === 0);
  if (microbatches === 1 || divides || !unread.includes("stages")) return microbatches;
  const what = `the ${microbatches} micro-batches of a pipeline`;
  record.notModelled(what, "the step is drawn with one batch", span);
  return 1;
}

function sparseReader({ operators }: Trace): TracedOperator | undefined {
  return operators.find(({ op }) => /^(EmbeddingLookup|SparseGatherV2)$/u.test(op));
}

/**
 * Reports a sparse gradient: of a table of which some rows are read, MindSpore gathers the
 * gradients of those rows.
 */
function saySparse(record: TrainingRecord, trace: Trace): void {
  const sparse = sparseReader(trace);
  if (sparse === undefined) return;
  record.notModelled(
    `the sparse gradient of what ${sparse.op} reads, whose rows MindSpore gathers`,
    "the gradient of the whole table is drawn",
    sparse.span,
  );
}

/**
 * Reports a gradient without its value: only what it needs of the forward pass is compiled.
 * Backward collectives are reported with the plan (`backwardNotes`).
 */
function sayWithoutValue(record: TrainingRecord, trace: Trace): void {
  const { withoutValue } = record;
  if (withoutValue === undefined || (parallelSetting(trace)?.devices ?? 1) < 2) return;
  record.notModelled(
    "gradients without the value that they are of, for which MindSpore computes only what they read of the forward pass",
    "all of it is drawn",
    withoutValue,
  );
}

/** Records the loss and the trained parameters, for MindSpore's backward collectives. */
function noteTrained(
  record: TrainingRecord,
  loss: TracedTensor,
  trace: Trace,
  source: string,
): void {
  const { weights, isScaled, scales } = record;
  const all = weights === undefined || weights.size === 0;
  const unknown = byHand.test(source)
    ? "the text ends or changes gradients itself"
    : otherwise(record, trace);
  noteStep(trace, {
    loss,
    isTrained: (each) => (all ? each.isFrozen !== true : weights.has(each)),
    isSeedConstant: isScaled ? false : scales.size > 0 ? undefined : true,
    ...(unknown !== undefined && { unknown }),
  });
}

/** Names by which a text stops gradients or computes them itself. */
const byHand =
  /\b(stop_gradient|StopGradient|InsertGradientOf|HookBackward|bprop|\w*register_\w*hook)\b/u;

/** Why a step's backward pass is not compiled by the plain rule; `undefined` if it is. */
function otherwise(record: TrainingRecord, trace: Trace): string | undefined {
  const { unread = [] } = parallelSetting(trace) ?? {};
  const read = new Set(trace.operators.flatMap(({ inputs }) => inputs));
  if (record.microbatches > 1) return "gradients are added up over micro-batches";
  if (trace.checkpoints.length > 0 || trace.operators.some(isAgain)) {
    return "parts of the forward pass run again";
  }
  if (unread.includes("optimizer")) return "the optimizer's parameters are in pieces";
  if (unread.includes("stages")) return "stages run on devices of their own";
  if ([...record.gradients.keys()].some((each) => read.has(each))) {
    return "the text computes with gradients";
  }
  return sparseReader(trace) === undefined ? undefined : "gradients of rows are gathered";
}

/** Whether a primitive has the attribute `recompute`. */
function isAgain({ primitive }: TracedOperator): boolean {
  return (
    primitive?.attributes.some(({ name, value }) => name === "recompute" && value === true) === true
  );
}

/** The kind of the called optimizer; plain descent, with a note, if none is called. */
function optimizerOf(record: TrainingRecord, span: Span) {
  const [update] = record.updates;
  if (update === undefined) {
    record.say({
      code: "mindspore/no-optimizer",
      severity: "info",
      message:
        "no optimizer of mindspore.nn is called with these gradients: the step is drawn with plain descent",
      span,
    });
    return "sgd";
  }
  if (update.kind === undefined)
    record.notModelled(update.name, "the update is drawn as plain descent", update.span);
  return update.kind ?? "sgd";
}

/** Warns that a step which trains only some parameters is drawn with all of them. */
function sayPart(record: TrainingRecord, trace: Trace, span: Span): void {
  const { weights } = record;
  if (weights === undefined || weights.size === 0) return;
  const read = new Set(trace.operators.flatMap(({ inputs }) => inputs));
  const all = trace.tensors.filter(
    (each) => each.role === "parameter" && each.isFrozen !== true && read.has(each),
  );
  const trained = all.filter((each) => weights.has(each));
  if (trained.length === all.length) return;
  record.notModelled(
    `gradients of ${trained.length} of ${all.length} parameters alone`,
    "the step is drawn with all of them",
    span,
  );
}
