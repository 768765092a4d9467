import type { Page } from "@playwright/test";
import { joinTexts } from "#language/texts";
import { loomChain, loomChainPlan } from "../looms.ts";
import { onFreshPage, type Site, settle } from "./page.ts";
import { rounds, type Timing } from "./timing.ts";

/** Time from dropping the file of a LoomGraph, too large for a link, until it is drawn. */
export async function* loom(site: Site): AsyncGenerator<Timing> {
  const opened: number[] = [];
  const longest: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await onFreshPage(site, undefined, async (page) => {
      await settle(page);
      opened.push(await dropped(page, joinTexts(loomChain(2_500), loomChainPlan)));
      longest.push(await page.evaluate(() => window.probe.longestTask));
    });
  }
  yield timing("open, LoomGraph of 5,000 nodes", 3_000, opened);
  yield timing("longest task, LoomGraph of 5,000 nodes opened", 500, longest);
}

function timing(what: string, aim: number, figures: readonly number[]): Timing {
  return { name: `browser: ${what}`, unit: "ms", aim, figures };
}

/** Drops a file, and waits until the page shows another graph and is idle. */
async function dropped(page: Page, text: string): Promise<number> {
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], "graph.json", { type: "application/json" }));
    return data;
  }, text);
  await page.evaluate(() => {
    window.probe.longestTask = 0;
  });
  return page.evaluate(async (data) => {
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const anyCard = '.canvas [data-testid^="operator-"], .bcard';
    const cards = () => document.querySelector(anyCard)?.textContent;
    const isIdle = () => document.querySelector('[data-ready="idle"]') !== null;
    const [before, started] = [cards(), performance.now()];
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
    while (performance.now() - started < 60_000) {
      await frame();
      if (cards() !== before && cards() !== undefined && isIdle()) break;
    }
    return performance.now() - started;
  }, transfer);
}
