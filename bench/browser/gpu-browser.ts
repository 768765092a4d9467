import { existsSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";

const systemChromium = "/usr/bin/chromium";

/** Chromium flags for WebGPU in software, without a window. */
const flags = ["--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

/** A Chromium with a WebGPU adapter, even on a machine without a GPU. */
export function launchWithGpu(): Promise<Browser> {
  return chromium.launch({
    ...(existsSync(systemChromium) && { executablePath: systemChromium }),
    args: flags,
  });
}
