import { create, globals } from "webgpu";

/** Keeps Dawn until the process ends: its adapters and devices die when it is collected. */
const kept: { dawn?: GPU } = {};

/**
 * WebGPU for this process through Dawn, on any available Vulkan driver, installed where libraries
 * written for pages expect it.
 */
export function openGpu(): GPU {
  kept.dawn ??= create([]);
  Object.assign(globalThis, globals, { kept });
  const navigator = { gpu: kept.dawn, userAgent: "node", hardwareConcurrency: 1 };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  takeSharedMemory();
  return kept.dawn;
}

/**
 * Patches `writeBuffer`: Dawn's Node bindings write nothing from shared memory, which ONNX Runtime
 * uses.
 */
function takeSharedMemory(): void {
  const { writeBuffer } = GPUQueue.prototype;
  const value = function (
    this: GPUQueue,
    buffer: GPUBuffer,
    offset: number,
    data: Uint8Array<ArrayBuffer>,
    from = 0,
    size = data.length - from,
  ): undefined {
    const isShared = Object.prototype.toString.call(data.buffer) === "[object SharedArrayBuffer]";
    const own = isShared ? Uint8Array.from(data.subarray(from, from + size)) : data;
    return writeBuffer.call(this, buffer, offset, own, isShared ? 0 : from, size);
  };
  Object.defineProperty(GPUQueue.prototype, "writeBuffer", { value });
}
