import type { Page } from "@playwright/test";
import { distinctProgram, loopProgram } from "../programs.ts";
import { onFreshPage, type Site, settle } from "./page.ts";
import { frameGaps } from "./probe.ts";
import { rounds, share, type Timing } from "./timing.ts";

/** Large graphs: dragging the canvas, and opening what is larger than any editor's text. */
export async function* large(site: Site): AsyncGenerator<Timing> {
  yield await thousand(site);
  yield* await tenThousand(site);
}

async function thousand(site: Site): Promise<Timing> {
  const figures = await onFreshPage(site, { program: distinctProgram(1_000) }, async (page) => {
    await settle(page);
    return panTimes(page, rounds);
  });
  return {
    ...timing("pan, median frame, 1,000 distinct operators", frame, figures),
    leastAim: frame,
  };
}

async function tenThousand(site: Site): Promise<readonly Timing[]> {
  const opened: number[] = [];
  const longest: number[] = [];
  const frames: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await onFreshPage(site, { program: loopProgram(10_000) }, async (page) => {
      await settle(page);
      opened.push(await page.evaluate(frameAfterNow));
      frames.push(...(await panTimes(page, 1)));
      longest.push(await page.evaluate(() => window.probe.longestTask));
    });
  }
  return [
    timing("open, 10,000 operators", 3_000, opened),
    timing("longest task, opened and panned, 10,000 operators", 500, longest),
    { ...timing("pan, median frame, 10,000 operators", 2 * frame, frames), leastAim: frame },
  ];
}

/** What a screen takes to show one, in whole milliseconds. */
const frame = 17;

function timing(what: string, aim: number, figures: readonly number[]): Timing {
  return { name: `browser: ${what}`, unit: "ms", aim, figures };
}

/** Runs in the page: when what stands now has been painted, since the visit began. */
function frameAfterNow(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  });
}

/** The middle gap between frames while the canvas is dragged to and fro, once per round. */
async function panTimes(page: Page, times: number): Promise<readonly number[]> {
  const box = await page.getByRole("region", { name: "Graph" }).boundingBox();
  if (box === null) throw new Error("there is no graph to pan");
  const [x, y] = [box.x + box.width / 2, box.y + box.height - 30];
  const found: number[] = [];
  for (let round = 0; round < times; round += 1) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    const gaps = page.evaluate(frameGaps, 1_500);
    for (let at = 0; at < 60; at += 1) {
      await page.mouse.move(x + 200 * Math.sin(at / 5), y - 100 * Math.sin(at / 7));
    }
    found.push(share(await gaps, 0.5));
    await page.mouse.up();
  }
  return found;
}
