import { mapRead, slotBytes, usages } from "./buffer-flags.ts";
import { type Comparison, compareCells, compareKernel, compareThreads } from "./compare-values.ts";
import type { Numbers } from "./program-builder.ts";
import type { RunBuffers } from "./run-buffers.ts";

/** The device on which values are compared, with its limits. */
export interface Comparing {
  readonly device: GPUDevice;
  readonly buffers: RunBuffers;
  readonly type: Numbers["type"];
  /** The most workgroups along one dim of a dispatch. */
  readonly workgroups: number;
  readonly pipelineOf: (code: string, label: string) => Promise<GPUComputePipeline>;
}

/** The most words of tensors sent to the device at once, unless one tensor has more. */
const mostSent = 2 ** 22;

/**
 * Counts on the device the differing cells of each comparison; one word of each is read back. The
 * whole tensors are sent to the device, some at a time.
 */
export async function countDiffering(
  comparing: Comparing,
  comparisons: readonly Comparison[],
): Promise<readonly number[]> {
  if (comparisons.length === 0) return [];
  const { device, type, pipelineOf } = comparing;
  const pipelines = new Map<number, GPUComputePipeline>();
  for (const { rank } of comparisons) {
    if (pipelines.has(rank)) continue;
    pipelines.set(rank, await pipelineOf(compareKernel(rank, type), "compare"));
  }
  const { storage, copySource } = usages;
  const counts = device.createBuffer({
    label: "counts",
    ...{ size: slotBytes * comparisons.length, usage: storage | copySource },
  });
  const rows = sentRows(device, comparisons);
  for (const batch of batchesOf(comparisons)) {
    await countBatch(comparing, comparisons, batch, { pipelines, rows, counts });
  }
  const found = await readCounts(device, counts, comparisons.length);
  for (const buffer of [counts, rows.buffer]) buffer.destroy();
  return found;
}

/** Device objects shared by all comparisons. */
interface Shared {
  /** Pipelines by the rank of the tensor. */
  readonly pipelines: ReadonlyMap<number, GPUComputePipeline>;
  readonly rows: ReturnType<typeof sentRows>;
  readonly counts: GPUBuffer;
}

/**
 * Compares with the tensors of one batch, and waits for the end, since the next batch takes their
 * memory. Each batch has a buffer of its own, because nothing is written where a submit may read.
 */
async function countBatch(
  comparing: Comparing,
  comparisons: readonly Comparison[],
  batch: Batch,
  { pipelines, rows, counts }: Shared,
): Promise<void> {
  const { device } = comparing;
  const wanted = sentTensors(device, batch);
  const encoder = device.createCommandEncoder({ label: "compare" });
  const pass = encoder.beginComputePass({ label: "compare" });
  for (const { words, from, places } of batch.parts) {
    const given = { buffer: wanted, offset: 4 * from, size: words.byteLength };
    for (const place of places) {
      const comparison = comparisons[place];
      const pipeline = comparison && pipelines.get(comparison.rank);
      if (comparison === undefined || pipeline === undefined) continue;
      const count = { buffer: counts, offset: slotBytes * place, size: 4 };
      dispatch(comparing, pass, pipeline, comparison, [given, rows.at(place), count]);
    }
  }
  pass.end();
  device.queue.submit([encoder.finish()]);
  await device.queue.onSubmittedWorkDone();
  wanted.destroy();
}

/** Buffer with the tensors of one batch only. */
function sentTensors(device: GPUDevice, { words: size, parts }: Batch): GPUBuffer {
  const buffer = device.createBuffer({
    label: "wanted",
    ...{ size: 4 * size, usage: usages.storage, mappedAtCreation: true },
  });
  const mapped = new Uint32Array(buffer.getMappedRange());
  for (const { words, from } of parts) mapped.set(words, from);
  buffer.unmap();
  return buffer;
}

/** The first word of every slot. */
async function readCounts(
  device: GPUDevice,
  counts: GPUBuffer,
  length: number,
): Promise<readonly number[]> {
  const usage = usages.copyTarget | usages.mapRead;
  const staging = device.createBuffer({ label: "counts read", size: 4 * length, usage });
  const encoder = device.createCommandEncoder({ label: "counts read" });
  for (let at = 0; at < length; at += 1) {
    encoder.copyBufferToBuffer(counts, slotBytes * at, staging, 4 * at, 4);
  }
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(mapRead);
  const found = [...new Uint32Array(staging.getMappedRange().slice(0))];
  staging.destroy();
  return found;
}

/** A sent tensor with its first word, and the comparisons with it. */
interface SentTensor {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly from: number;
  readonly places: number[];
}

/** Tensors that are sent together, and the words that they take. */
interface Batch {
  words: number;
  readonly parts: SentTensor[];
}

/** All tensors of the comparisons, each once. */
function batchesOf(comparisons: readonly Comparison[]): readonly Batch[] {
  const batches: Batch[] = [];
  const sent = new Map<Uint32Array, SentTensor>();
  for (const [place, { wanted: words }] of comparisons.entries()) {
    const known = sent.get(words);
    if (known !== undefined) {
      known.places.push(place);
      continue;
    }
    let batch = batches.at(-1);
    if (batch === undefined || batch.words + words.length > mostSent) {
      batch = { words: 0, parts: [] };
      batches.push(batch);
    }
    const part = { words, from: batch.words, places: [place] };
    batch.parts.push(part);
    batch.words = aligned(batch.words + words.length);
    sent.set(words, part);
  }
  return batches;
}

/** The rows of all comparisons in one buffer. */
function sentRows(device: GPUDevice, comparisons: readonly Comparison[]) {
  const starts: number[] = [];
  let length = 0;
  for (const { rows } of comparisons) {
    starts.push(length);
    length = aligned(length + rows.length);
  }
  const usage = usages.storage;
  const buffer = device.createBuffer({
    label: "rows",
    ...{ size: 4 * length, usage, mappedAtCreation: true },
  });
  const words = new Uint32Array(buffer.getMappedRange());
  for (const [place, { rows }] of comparisons.entries()) words.set(rows, starts[place]);
  buffer.unmap();
  const at = (place: number): GPUBufferBinding => ({
    buffer,
    offset: 4 * (starts[place] ?? 0),
    size: comparisons[place]?.rows.byteLength ?? 0,
  });
  return { buffer, at };
}

/** The next word at which a binding may begin. */
function aligned(word: number): number {
  return Math.ceil((4 * word) / slotBytes) * (slotBytes / 4);
}

function dispatch(
  { device, buffers, workgroups }: Comparing,
  pass: GPUComputePassEncoder,
  pipeline: GPUComputePipeline,
  { buffer, cells, blocks }: Comparison,
  given: readonly GPUBufferBinding[],
): void {
  const resources: readonly GPUBufferBinding[] = [{ buffer: buffers.at(buffer) }, ...given];
  const entries = resources.map((resource, binding) => ({ binding, resource }));
  const layout = pipeline.getBindGroupLayout(0);
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ label: "compare", layout, entries }));
  const across = Math.ceil(cells / (compareThreads * compareCells));
  pass.dispatchWorkgroups(Math.min(workgroups, across), Math.min(workgroups, blocks));
}
