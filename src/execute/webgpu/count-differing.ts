import { type Comparison, compareCells, compareKernel, compareThreads } from "./compare-values.ts";
import type { Numbers } from "./program-builder.ts";
import type { RunBuffers } from "./run-buffers.ts";

/** Flags of buffers, and of a mapping, as the WebGPU specification numbers them. */
const usages = { mapRead: 0x01, copySource: 0x04, copyTarget: 0x08, storage: 0x80 };
const mapRead = 0x01;

/** Bindings begin at multiples of so many bytes: a count has so much for itself. */
const slotBytes = 256;

/** Where values are compared. */
export interface Comparing {
  readonly device: GPUDevice;
  readonly buffers: RunBuffers;
  readonly type: Numbers["type"];
  /** The most workgroups along one dim of a dispatch. */
  readonly workgroups: number;
  readonly pipelineOf: (code: string, label: string) => Promise<GPUComputePipeline>;
}

/**
 * Counts on the device the cells of each comparison that differ; one word of each is read back.
 * The tensors that they should be parts of are sent there one after the other.
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
  const { storage, copySource, copyTarget } = usages;
  const most = comparisons.reduce((words, { wanted }) => Math.max(words, wanted.length), 1);
  const create = (label: string, size: number, usage: number) =>
    device.createBuffer({ label, size, usage });
  const wanted = create("wanted", 4 * most, storage | copyTarget);
  const counts = create("counts", slotBytes * comparisons.length, storage | copySource);
  const rows = comparisons.map((comparison) => rowsBuffer(device, comparison));
  for (const [words, places] of byTensor(comparisons)) {
    device.queue.writeBuffer(wanted, 0, words);
    const encoder = device.createCommandEncoder({ label: "compare" });
    const pass = encoder.beginComputePass({ label: "compare" });
    for (const place of places) {
      const [comparison, own] = [comparisons[place], rows[place]];
      const pipeline = comparison && pipelines.get(comparison.rank);
      if (comparison === undefined || pipeline === undefined || own === undefined) continue;
      dispatch(comparing, pass, pipeline, comparison, [wanted, own, counts], place);
    }
    pass.end();
    device.queue.submit([encoder.finish()]);
  }
  const found = await readCounts(device, counts, comparisons.length);
  for (const buffer of [wanted, counts, ...rows]) buffer.destroy();
  return found;
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

/** Which comparisons are with the same tensor. */
function byTensor(
  comparisons: readonly Comparison[],
): ReadonlyMap<Comparison["wanted"], readonly number[]> {
  const places = new Map<Comparison["wanted"], number[]>();
  for (const [place, { wanted }] of comparisons.entries()) {
    const same = places.get(wanted);
    if (same === undefined) places.set(wanted, [place]);
    else same.push(place);
  }
  return places;
}

function rowsBuffer(device: GPUDevice, { rows }: Comparison): GPUBuffer {
  const usage = usages.storage;
  const own = device.createBuffer({ size: rows.byteLength, usage, mappedAtCreation: true });
  new Uint32Array(own.getMappedRange()).set(rows);
  own.unmap();
  return own;
}

function dispatch(
  { device, buffers, workgroups }: Comparing,
  pass: GPUComputePassEncoder,
  pipeline: GPUComputePipeline,
  { buffer, cells, blocks }: Comparison,
  [wanted, rows, counts]: readonly [GPUBuffer, GPUBuffer, GPUBuffer],
  place: number,
): void {
  const resources: readonly GPUBufferBinding[] = [
    { buffer: buffers.at(buffer) },
    { buffer: wanted },
    { buffer: rows },
    { buffer: counts, offset: slotBytes * place, size: 4 },
  ];
  const entries = resources.map((resource, binding) => ({ binding, resource }));
  const layout = pipeline.getBindGroupLayout(0);
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ label: "compare", layout, entries }));
  const across = Math.ceil(cells / (compareThreads * compareCells));
  pass.dispatchWorkgroups(Math.min(workgroups, across), Math.min(workgroups, blocks));
}
