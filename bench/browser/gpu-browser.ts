import { existsSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";

const systemChromium = "/usr/bin/chromium";

/** WebGPU in software, without a window. */
const flags = ["--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

/** A Chromium with an adapter for WebGPU, on a machine without a GPU too. */
export function launchWithGpu(): Promise<Browser> {
  return chromium.launch({
    ...(existsSync(systemChromium) && { executablePath: systemChromium }),
    args: flags,
  });
}
