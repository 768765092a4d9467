import { gptBlock } from "../../src/execute/webgpu/gpt-block.testing.ts";
import { gpt2Whole } from "../gpt2-whole.ts";
import { launchWithGpu } from "./gpu-browser.ts";
import { onFreshPage, type Site, settle } from "./page.ts";
import { answered, type Press } from "./press.ts";
import { rounds, type Timing } from "./timing.ts";

/** A block of GPT on 64 devices. */
const gpt = gptBlock({ dp: 8, tp: 8, batch: 16, heads: 8, width: 8 });

const run: Press = {
  button: '[data-testid="run-preview"]',
  answer: '[data-testid="run-verdict"][data-verdict="equal"]',
};

/** The press that cancels a run; a cancelled run shows no verdict. */
const cancel: Press = {
  button: run.button,
  answer: 'body:not(:has([data-testid="run-verdict"]))',
};

/** The press that runs all layers at full sizes; afterwards no larger run is offered. */
const whole: Press = {
  button: '[data-testid="run-whole"]',
  answer:
    'body:not(:has([data-testid="run-whole"])) [data-testid="run-verdict"][data-verdict="equal"]',
};

/** Time (ms) of a run of a whole model, after its run on reduced sizes; measured once. */
async function wholeRun(address: string): Promise<number> {
  const browser = await launchWithGpu();
  try {
    return await onFreshPage({ browser, address }, { program: gpt2Whole }, async (page) => {
      page.setDefaultTimeout(600_000);
      await settle(page);
      await answered(page, run);
      return await answered(page, whole);
    });
  } finally {
    await browser.close();
  }
}

/**
 * Waits of a user who runs a program on the GPU: for the verdict, and for the end of a cancelled
 * run.
 */
export async function* runs({ address }: Site): AsyncGenerator<Timing> {
  const browser = await launchWithGpu();
  const [blocks, cancelled]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await onFreshPage({ browser, address }, { program: gpt }, async (page) => {
        await settle(page);
        blocks.push(await answered(page, run));
        const button = page.locator(run.button);
        await button.click();
        await button.getByText("Cancel").waitFor();
        cancelled.push(await answered(page, cancel));
      });
    }
  } finally {
    await browser.close();
  }
  yield {
    name: "browser: run, a block of GPT on 64 devices",
    unit: "ms",
    aim: 20_000,
    figures: blocks,
  };
  yield {
    name: "browser: run, GPT-2 with 124 M parameters as it is, on 8 devices",
    unit: "ms",
    aim: 60_000,
    figures: [await wholeRun(address)],
  };
  yield { name: "browser: run, cancel", unit: "ms", aim: 300, figures: cancelled };
}
