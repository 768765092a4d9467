import { expect, test } from "vitest";
import type { GpuProgram, KernelCommand } from "./gpu-program.ts";
import { RunBuffers } from "./run-buffers.ts";

/** A fake device that records writes and bindings. */
function recordingDevice() {
  const written: number[] = [];
  const bound: number[] = [];
  const device = {
    createBuffer: () => ({}),
    createBindGroup: ({ entries }: { entries: readonly { resource: { offset: number } }[] }) => {
      bound.push(...entries.map(({ resource }) => resource.offset));
      return {};
    },
    queue: { writeBuffer: (_: unknown, offset: number) => written.push(offset) },
  };
  // The fakes have what buffers of a run call, and no more.
  return { device: device as unknown as GPUDevice, written, bound };
}

test("of two parts of a kernel that are sent in a row neither is said where the other is read", () => {
  const { device, written, bound } = recordingDevice();
  const cut = (slot: number) =>
    ({
      kind: "kernel",
      label: "h",
      buffers: [],
      cut: { slot, groups: 8 },
      // The only field of a command that is read.
    }) as unknown as KernelCommand;
  const commands = [cut(0), cut(1)];
  // The only fields of a program and of a pipeline that are read.
  const program = { buffers: [], rows: [], commands } as unknown as GpuProgram;
  const buffers = new RunBuffers(device, program);
  const pipeline = { getBindGroupLayout: () => ({}) } as unknown as GPUComputePipeline;
  for (const [slot, first] of [
    [0, 0],
    [0, 2],
    [0, 4],
    [1, 0],
    [1, 4],
  ] as const) {
    buffers.setPart(slot, { first, groups: 2, across: 2 });
    buffers.bind(cut(slot), pipeline);
  }
  expect(bound).toEqual(written);
  const [one, two, three, four, five] = written;
  expect(new Set([one, two, four, five]).size).toBe(4);
  expect(three).toBe(one);
});
