import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** Debian's Chromium where there is one, else Playwright's own. */
const systemChromium = "/usr/bin/chromium";
const executablePath = existsSync(systemChromium) ? systemChromium : undefined;

/** Where the app is served: another port and folder let two runs stand side by side. */
const port = process.env.E2E_PORT ?? "4173";
const folder = port === "4173" ? "dist" : `dist/${port}`;
const address = `http://localhost:${port}`;

export default defineConfig({
  testDir: "e2e",
  timeout: 60_000,
  expect: { timeout: 15_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  /** On a busy machine one wait can run out; what passes only the second time is listed as flaky. */
  retries: 1,
  reporter: [["list"]],
  use: {
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
    /** Recording takes a quarter of the time, so only what is tried once more is recorded. */
    trace: "on-first-retry",
    /** Tests of a worker share one page, cleared in between: a plan opens twice as fast there. */
    reuseContext: true,
    /** What is fetched should come from the build, not from an earlier load; one file allows them. */
    serviceWorkers: "block",
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      args: [
        "--no-sandbox",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: `npx vite build --outDir ${folder} && npx vite preview --outDir ${folder} --port ${port} --strictPort`,
    url: address,
    timeout: 180_000,
    reuseExistingServer: false,
  },
});
