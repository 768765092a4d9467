import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig } from "vitest/config";

const common = {
  environment: "node",
  /** Only against what hangs: how long a test takes is no verdict, and benchmarks hold times. */
  testTimeout: process.env.SOAK === undefined ? 300_000 : 3_600_000,
  // One less is the default, which leaves half of a machine of two cores idle.
  maxWorkers: "100%",
} as const;

/** Tests of kernels: they need a GPU, or the one in software that comes with Chromium. */
const onGpu = ["src/**/*.gpu.test.ts"];

/**
 * Where Chromium keeps the loader of Vulkan and its device in software. Both are looked for when a
 * process starts, so tests that need them run in processes of their own.
 */
function vulkanOfChromium(): Record<string, string> {
  const folder = [
    "/usr/lib/chromium",
    ...foldersOf(["/usr/bin/chromium", "/usr/bin/chromium-browser"]),
  ].find((each) => existsSync(join(each, "vk_swiftshader_icd.json")));
  if (folder === undefined) return {};
  return { LD_LIBRARY_PATH: folder, VK_ICD_FILENAMES: join(folder, "vk_swiftshader_icd.json") };
}

function foldersOf(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => existsSync(path)).map((path) => dirname(realpathSync(path)));
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: "unit",
          include: ["src/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: onGpu,
          pool: "threads",
        },
      },
      {
        test: {
          ...common,
          name: "gpu",
          include: onGpu,
          pool: "forks",
          env: vulkanOfChromium(),
        },
      },
    ],
  },
});
