import { create, globals } from "webgpu";

/** Kept until the process ends: its adapters and devices die when it is collected. */
const kept: { dawn?: GPU } = {};

/**
 * WebGPU of this process through Dawn, on whatever Vulkan offers, where libraries that are written
 * for pages look for it.
 */
export function openGpu(): GPU {
  kept.dawn ??= create([]);
  Object.assign(globalThis, globals, { kept });
  const navigator = { gpu: kept.dawn, userAgent: "node", hardwareConcurrency: 1 };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  takeSharedMemory();
  return kept.dawn;
}

/** Dawn's bindings for Node write nothing from memory that threads share, as ONNX Runtime's is. */
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
