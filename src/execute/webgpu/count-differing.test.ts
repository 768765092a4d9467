import { expect, test } from "vitest";
import { valueId } from "#core/program";
import type { Comparison } from "./compare-values.ts";
import { countDiffering } from "./count-differing.ts";
import type { RunBuffers } from "./run-buffers.ts";

interface Fake {
  readonly words: ArrayBuffer;
}

/** A fake device that records the buffers that a submit reads, and those written meanwhile. */
function watchedDevice() {
  const [bound, pending] = [new Set<object>(), new Set<object>()];
  const torn: string[] = [];
  const seen: number[][] = [];
  const touch = (buffer: object, label: string) => {
    if (pending.has(buffer)) torn.push(label);
  };
  const createBuffer = ({ label, size }: GPUBufferDescriptor) => {
    const words = new ArrayBuffer(size);
    const buffer = {
      words,
      getMappedRange: () => words,
      mapAsync: async () => pending.clear(),
      unmap: () => {},
      destroy: () => touch(buffer, `${label} destroyed`),
    };
    return buffer;
  };
  const pass = {
    setPipeline: () => {},
    setBindGroup: (_: number, { entries }: GPUBindGroupDescriptor) => {
      const resources = [...entries].map(({ resource }) => resource as GPUBufferBinding);
      for (const { buffer } of resources) bound.add(buffer);
      for (const { buffer, offset } of resources.slice(1, 2)) {
        // Every buffer is made by the fake above.
        const { words } = buffer as unknown as Fake;
        seen.push([...new Uint32Array(words, offset, 2)]);
      }
    },
    dispatchWorkgroups: () => {},
    end: () => {},
  };
  const queue = {
    writeBuffer: (buffer: Fake, offset: number, words: Uint32Array) => {
      touch(buffer, "written");
      new Uint32Array(buffer.words, offset, words.length).set(words);
    },
    submit: () => {
      for (const buffer of bound) pending.add(buffer);
      bound.clear();
    },
    onSubmittedWorkDone: async () => pending.clear(),
  };
  const encoder = {
    beginComputePass: () => pass,
    copyBufferToBuffer: () => {},
    finish: () => ({}),
  };
  const device = {
    ...{ createBuffer, queue, createCommandEncoder: () => encoder },
    createBindGroup: (descriptor: GPUBindGroupDescriptor) => descriptor,
  };
  // The fake has what comparing calls, and no more.
  return { device: device as unknown as GPUDevice, torn, seen };
}

test("tensors that are sent one after the other are never written where a submit reads", async () => {
  const { device, torn, seen } = watchedDevice();
  const tensors = [3, 4, 5].map((number) => new Uint32Array(2 ** 22).fill(number));
  const comparisons = [...tensors, ...tensors].map(
    (wanted, at): Comparison => ({
      ...{ value: valueId(`${at}`), buffer: at, rank: 1, blocks: 1, wanted },
      ...{ words: wanted.length, cells: wanted.length },
      rows: Uint32Array.of(0, wanted.length, wanted.length, 1, 0),
    }),
  );
  // Buffers and pipeline are only handed on to the fake.
  const held = { at: () => ({}) } as unknown as RunBuffers;
  const pipeline = { getBindGroupLayout: () => ({}) } as unknown as GPUComputePipeline;
  const comparing = {
    ...{ device, buffers: held, type: "i32" as const, workgroups: 8 },
    pipelineOf: async () => pipeline,
  };
  await countDiffering(comparing, comparisons);
  expect(seen).toEqual([3, 3, 4, 4, 5, 5].map((number) => [number, number]));
  expect(torn).toEqual([]);
});
