import { afterAll } from "vitest";
import { create, globals } from "webgpu";
import { chooseGpu, type GpuEngine, type GpuOptions } from "./gpu-engine.ts";

/** Kept until the process ends: its adapters and devices die when it is collected. */
const kept: { dawn?: GPU } = {};
Object.assign(globalThis, { kept });

/** WebGPU of this process, on whatever Vulkan offers. */
export function dawn(): GPU {
  kept.dawn ??= create([]);
  return kept.dawn;
}

/** The engine that tests run on. Without an adapter they fail: nothing would be tested. */
export async function testEngine(options: GpuOptions = {}): Promise<GpuEngine> {
  Object.assign(globalThis, globals);
  const choice = await chooseGpu(dawn(), options);
  if (choice.kind === "cpu") {
    throw new Error(
      `${choice.why}; tests of kernels need one: Chromium's SwiftShader (LD_LIBRARY_PATH is ${process.env.LD_LIBRARY_PATH})`,
    );
  }
  afterAll(() => choice.engine.destroy());
  return choice.engine;
}
