import type { Page } from "@playwright/test";
import { chainProgram } from "../programs.ts";
import { onFreshPage, type Site, settle, toTheEnd } from "./page.ts";
import { frameGaps } from "./probe.ts";
import { rounds, share, type Timing } from "./timing.ts";

const operators = 300;
const keystrokes = 16;

/** Time from a key press to diagnostics, and smoothness of typing. */
export async function* typing(site: Site): AsyncGenerator<Timing> {
  const program = chainProgram(operators, 8, 8);
  yield* await onFreshPage(site, { program }, async (page) => {
    await toTheEnd(page);
    const diagnostics: number[] = [];
    const frames: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      diagnostics.push(share(await diagnosticTimes(page), 0.95));
      frames.push(share(await frameTimes(page), 0.95));
      await page.keyboard.press("Enter");
      await settle(page);
    }
    return [
      timing("keystroke to diagnostics, p95", 150, diagnostics),
      timing("frames while typing, p95", 34, frames),
    ];
  });
}

function timing(what: string, aim: number, figures: readonly number[]): Timing {
  return { name: `browser: ${what}, ${operators} operators`, unit: "ms", aim, figures };
}

/**
 * Time from each key press until the list of problems changes: a name is typed and deleted in
 * turns.
 */
async function diagnosticTimes(page: Page): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < keystrokes; at += 1) {
    const said = page.evaluate(untilProblemsChange);
    // The listener is installed once this call returns.
    await page.evaluate(() => undefined);
    await page.keyboard.press(at % 2 === 0 ? "q" : "Backspace");
    times.push(await said);
    await settle(page);
  }
  return times;
}

/** Runs in the page: time from the next key press until the list of problems changes. */
function untilProblemsChange(): Promise<number> {
  const panel = document.querySelector('[data-testid="problems"]');
  const before = panel?.textContent;
  return new Promise((resolve, reject) => {
    let pressed = 0;
    const listen = () => {
      pressed = performance.now();
    };
    document.addEventListener("keydown", listen, { capture: true, once: true });
    const observer = new MutationObserver(() => {
      if (panel?.textContent === before) return;
      observer.disconnect();
      resolve(performance.now() - pressed);
    });
    if (panel !== null) {
      observer.observe(panel, { childList: true, characterData: true, subtree: true });
    }
    setTimeout(() => reject(new Error("the problems did not change")), 20_000);
  });
}

/** Gaps between frames during fast typing. */
async function frameTimes(page: Page): Promise<readonly number[]> {
  const frames = page.evaluate(frameGaps, 3_000);
  await page.keyboard.type("# a comment that is typed without a pause", { delay: 60 });
  return await frames;
}
