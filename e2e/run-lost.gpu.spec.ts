import { expect, type Page, test, type Worker } from "@playwright/test";
import { addressOf, runPage, training } from "./run-page.ts";

/** A lost GPU is lost for all pages of a browser, so these tests have a browser of their own. */
test.use({ reuseContext: false, viewport: { width: 1441, height: 900 } });

/** The worker that runs the page's plans. */
async function runnerOf(page: Page): Promise<Worker> {
  for (const worker of page.workers()) {
    if (await worker.evaluate(() => self.name === "runner")) return worker;
  }
  throw new Error("no worker of runs");
}

/** Destroys the device of the page's runs at its next use; there may be no other device. */
async function loseDevice(page: Page, isLast: boolean): Promise<void> {
  const worker = await runnerOf(page);
  await worker.evaluate((noOther) => {
    const { createCommandEncoder } = GPUDevice.prototype;
    GPUDevice.prototype.createCommandEncoder = function (...given) {
      GPUDevice.prototype.createCommandEncoder = createCommandEncoder;
      if (noOther) GPU.prototype.requestAdapter = async () => null;
      this.destroy();
      return createCommandEncoder.apply(this, given);
    };
  }, isLast);
}

/** Holds the next run back before it reads its numbers, until the returned function is called. */
async function holdRun(page: Page): Promise<() => Promise<void>> {
  const worker = await runnerOf(page);
  await worker.evaluate(() => {
    const { mapAsync } = GPUBuffer.prototype;
    const released = new Promise<void>((resolve) => {
      Object.assign(self, { releaseRun: resolve });
    });
    GPUBuffer.prototype.mapAsync = async function (...given) {
      GPUBuffer.prototype.mapAsync = mapAsync;
      await released;
      return mapAsync.apply(this, given);
    };
  });
  return () => worker.evaluate(() => (self as typeof self & { releaseRun(): void }).releaseRun());
}

test("a device that is lost during a run is said, and the run goes on with another", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(training));
  await plan.run();
  await loseDevice(page, false);
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(plan.verdict).toHaveAttribute("data-engine", "webgpu");
  await expect(page.getByTestId("run-lost")).toContainText("It began again on a new device");
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-engine", "webgpu");
  await expect(page.getByTestId("run-lost")).toHaveCount(0);
});

test("where there is no other device, the run goes on on the CPU, and says why", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(training));
  await plan.run();
  await loseDevice(page, true);
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(plan.verdict).toHaveAttribute("data-engine", "cpu");
  await expect(plan.verdict).toContainText("the GPU was lost, and there is no other");
});

test("numbers that a GPU does not hand back are computed on the CPU, which says why", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(training));
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-engine", "webgpu");
  const worker = await runnerOf(page);
  await worker.evaluate(() => {
    const { mapAsync } = GPUBuffer.prototype;
    GPUBuffer.prototype.mapAsync = () => {
      GPUBuffer.prototype.mapAsync = mapAsync;
      return Promise.reject(new Error("the mapping was refused"));
    };
  });
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(plan.verdict).toHaveAttribute("data-engine", "cpu");
  await expect(plan.verdict).toContainText(
    "the GPU failed during the run (the mapping was refused)",
  );
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-engine", "webgpu");
});

test("a GPU that is lost is said, and the run goes on: on another device, or on the CPU", async ({
  page,
  browser,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(training));
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-engine", "webgpu");
  const release = await holdRun(page);
  await page.getByTestId("run-preview").click();
  await expect(page.getByTestId("run-preview")).toHaveText("Cancel");
  const session = await browser.newBrowserCDPSession();
  await session.send("Browser.crashGpuProcess" as "Browser.getVersion").catch(() => undefined);
  await release();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal", { timeout: 45_000 });
  await expect(plan.verdict).toContainText(/lost/);
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
});
