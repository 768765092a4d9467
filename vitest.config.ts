import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const common = {
  environment: "node",
  /** Only against what hangs: how long a test takes is no verdict, and benchmarks hold times. */
  testTimeout: process.env.SOAK === undefined ? 300_000 : 3_600_000,
  // One less is the default, which leaves half of a machine of two cores idle.
  maxWorkers: "100%",
  execArgv: [
    // Tests leave much that dies young: collecting it takes a tenth less with more room for it.
    "--max-semi-space-size=64",
    // Most code of a test runs a few times: V8 translates it fast at once, and well only where it
    // runs ten times as long as usual. All tests take a quarter to a third less time of the cores.
    ...["--sparkplug", "--interrupt-budget=1500000"],
  ],
  // Modules as they were last translated, by their own text: that of one file of tests takes seconds less.
  experimental: { fsModuleCache: true },
} satisfies TestProjectInlineConfiguration["test"];

/** Tests of kernels: they need a GPU, or the one in software that comes with Chromium. */
const onGpu = ["src/**/*.gpu.test.ts"];

/**
 * Small files whose tests take a minute. Where nothing is known of an earlier run the largest file
 * goes first, and these would begin last, with one core idle until they end.
 */
const long: readonly string[] = JSON.parse(readFileSync("src/long-tests.json", "utf8"));

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Files of one project stay together: a process of another begins anew.
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const rankOf = ({ project, moduleId }: TestSpecification) => {
      const isLong = long.some((name) => moduleId.endsWith(name));
      return 2 * projects.indexOf(project.name) + (isLong ? 0 : 1);
    };
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}

/** Names that Chromium and its kin are started by. */
const browsers = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];

/** Where they are installed by hand, by Debian, by Arch, and on openSUSE and Fedora. */
const usualFolders = [
  ...["/usr/lib/chromium", "/usr/lib/chromium-browser", "/usr/lib64/chromium"],
  ...["/usr/lib64/chromium-browser", "/opt/google/chrome"],
];

/**
 * Where Chromium keeps the loader of Vulkan and its device in software: beside the browser that
 * `CHROMIUM_PATH` or `CHROME_PATH` names, one on the path, Playwright's, or in the usual folders.
 * Both are looked for when a process starts, so tests that need them run in processes of their own.
 */
function vulkanOfChromium(): Record<string, string> {
  const { CHROMIUM_PATH, CHROME_PATH, PATH = "" } = process.env;
  const named = [CHROMIUM_PATH, CHROME_PATH].filter((path) => path !== undefined);
  const onPath = PATH.split(delimiter).flatMap((folder) =>
    browsers.map((name) => join(folder, name)),
  );
  const installed = [...named, ...onPath, chromium.executablePath()];
  const folder = [...foldersOf(named), ...usualFolders, ...foldersOf(installed)].find((each) =>
    existsSync(join(each, "vk_swiftshader_icd.json")),
  );
  if (folder === undefined) return {};
  return { LD_LIBRARY_PATH: folder, VK_ICD_FILENAMES: join(folder, "vk_swiftshader_icd.json") };
}

/** The folders of files that are there; links are followed. */
function foldersOf(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => existsSync(path)).map((path) => dirname(realpathSync(path)));
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          ...common,
          name: "unit",
          include: ["src/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: onGpu,
          pool: "forks",
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          name: "gpu",
          include: onGpu,
          pool: "forks",
          isolate: false,
          env: vulkanOfChromium(),
        },
      },
    ],
  },
});
