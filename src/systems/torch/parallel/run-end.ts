import { runsOf, type Trace, type TracedTensor } from "#language/document/trace";
import type { Value } from "#language/python";
import { assumedRanks, ranksAssumed } from "./distributed-words.ts";
import { isData } from "./plans/data-cuts.ts";
import type { ParallelRecord } from "./record.ts";

/**
 * Completes the trace after a run: modules that are computed again, the assumed mesh, the cut of
 * the batch.
 */
export function endParallel(record: ParallelRecord, trace: Trace, source: string): void {
  dropUndrawn(record, trace);
  const wrapped = new Set<Value>(record.recomputed);
  if (wrapped.size > 0)
    trace.checkpoints.push(...runsOf(trace.operators, (module) => wrapped.has(module)));
  if (record.isEmpty) return;
  noteRows(record, trace);
  assumeMesh(record, trace);
  sayStatistics(record, trace, source);
  const { training } = trace;
  for (const [at, call] of training.entries())
    training[at] = { ...call, policy: { ...call.policy, ...record.policy } };
}

/** Ranks that each have rows of a batch take the statistics of their own rows: that is not drawn. */
function sayStatistics({ copied, sharded }: ParallelRecord, trace: Trace, source: string): void {
  const norm = trace.operators.find(({ entry }) => entry === "batch_norm");
  if (norm === undefined || copied.length + sharded.length === 0) return;
  if (/SyncBatchNorm/u.test(source)) return;
  trace.diagnostics.push({
    code: "torch/batch-statistics",
    severity: "warning",
    message:
      "in PyTorch every rank normalises by the statistics of its own rows and sends none; the board takes those of the whole batch, and sends them, as SyncBatchNorm does",
    span: norm.span,
  });
}

/** Tensors of ranks, and the operators that make them, are no part of the program. */
function dropUndrawn({ undrawn }: ParallelRecord, trace: Trace): void {
  for (const tensor of undrawn) drop(tensor, trace);
}

function drop(tensor: TracedTensor, trace: Trace): void {
  const { tensors, operators } = trace;
  const isRead = operators.some(({ inputs }) => inputs.some((input) => input === tensor));
  const at = tensors.indexOf(tensor);
  if (isRead || at < 0) return;
  tensors.splice(at, 1);
  const { producer } = tensor;
  if (producer === undefined) return;
  operators.splice(operators.indexOf(producer), 1);
  for (const input of producer.inputs) if (input.kind === "tensor") drop(input, trace);
}

/**
 * Assumes a mesh for a text with `FSDP` or `DDP` alone, whose number of ranks only `torchrun`
 * gives.
 */
function assumeMesh(record: ParallelRecord, trace: Trace): void {
  const { sharded, copied } = record;
  const span = [...sharded, ...copied][0]?.span;
  if (span === undefined || trace.meshes.length + trace.layouts.length > 0) return;
  const isAsked = record.ranks !== undefined || !record.isNews("ranks");
  const size = record.ranks ?? (isAsked ? assumedRanks : ranksFor(record, trace));
  const axis = { name: "dp", size, span, sizeSpan: span };
  trace.meshes.push({ axes: [axis], devices: undefined, isAssumed: true, span });
  if (!isAsked) trace.diagnostics.push(ranksAssumed(size, span));
}

/** A number of ranks that divides the batch evenly. */
function ranksFor(record: ParallelRecord, { tensors }: Trace): number {
  const rows = tensors.flatMap((tensor) => {
    const [size] = isData(record, tensor) ? (tensor.shape ?? []) : [];
    return typeof size === "number" ? [size] : [];
  });
  const fits = (ranks: number) => rows.every((size) => size % ranks === 0);
  return [assumedRanks, 4, 2].find(fits) ?? assumedRanks;
}

/**
 * Notes the weights whose rows a style cuts and whose results it leaves cut: their sums are made in
 * the blocks to which the bias is added.
 */
function noteRows({ styles, tensorOf }: ParallelRecord, { cutRows }: Trace): void {
  for (const { module, style, span } of styles) {
    const isCut = style.kind === "rows" && style.outputs[0]?.kind === "shard";
    const weight = isCut ? tensorOf(module.attributes.get("weight")) : undefined;
    if (weight !== undefined) cutRows.set(weight, span);
  }
}
