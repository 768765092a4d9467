import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** Debian's Chromium where there is one, else Playwright's own. */
const systemChromium = "/usr/bin/chromium";
/** The same without a window's frame: a journey takes a sixth less there. It has no adapter for WebGPU. */
const headlessShell = "/usr/bin/chromium-headless-shell";

/** Not the port of `npm start`, which may serve meanwhile; another lets two runs stand side by side. */
const port = process.env.E2E_PORT ?? "4174";
const address = `http://localhost:${port}`;

/** What is tested: a folder that is built already, else one that is built now. */
const built = process.env.E2E_FOLDER;
const folder = built ?? `node_modules/.cache/shardboard/tested-${port}`;
const build = `npx vite build --outDir ${folder} --emptyOutDir`;
const serve = `npx vite preview --outDir ${folder} --port ${port} --strictPort`;

/** What every Chromium is started with. */
const args = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // V8 compiles and collects garbage on threads beside the page, for which a machine of two cores
  // has none idle: without faster code journeys take an eighth less, on one thread a twentieth less.
  "--js-flags=--no-turbofan --no-maglev --single-threaded",
];

/** WebGPU on Chromium's adapter in software: without these there is no adapter on a machine without a GPU. */
const gpuArgs = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

/** Journeys that need an adapter; the others see a browser without one. */
const onGpu = /\.gpu\.spec\.ts$/;

const first = (paths: readonly string[]) => {
  const executablePath = paths.find((path) => existsSync(path));
  return executablePath === undefined ? {} : { executablePath };
};

export default defineConfig({
  testDir: "e2e",
  timeout: 60_000,
  expect: { timeout: 15_000 },
  fullyParallel: true,
  /** Two cores: of its time a journey waits a third, for a frame or for what is told to it. */
  workers: 3,
  forbidOnly: true,
  /** On a busy machine one wait can run out; what passes only the second time is listed as flaky. */
  retries: 1,
  reporter: [["list"]],
  use: {
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
    /** A journey may go on for long; nothing that is done in it does. */
    actionTimeout: 30_000,
    /** Recording takes a quarter of the time, so only what is tried once more is recorded. */
    trace: "on-first-retry",
    /** Tests of a worker share one page, cleared in between: a plan opens twice as fast there. */
    reuseContext: true,
    /** What is fetched should come from the build, not from an earlier load; one file allows them. */
    serviceWorkers: "block",
  },
  projects: [
    {
      name: "page",
      testIgnore: onGpu,
      use: { launchOptions: { ...first([headlessShell, systemChromium]), args } },
    },
    {
      name: "gpu",
      testMatch: onGpu,
      use: { launchOptions: { ...first([systemChromium]), args: [...args, ...gpuArgs] } },
    },
  ],
  webServer: {
    command: built === undefined ? `${build} && ${serve}` : serve,
    url: address,
    timeout: 180_000,
    reuseExistingServer: false,
  },
});
