import type { Page } from "@playwright/test";
import { distinctProgram, loopProgram } from "../programs.ts";
import { onFreshPage, type Site, settle } from "./page.ts";
import { frameGaps } from "./probe.ts";
import { rounds, share, type Timing } from "./timing.ts";

/** Large programs: moving over them, and opening texts larger than an editor's limit. */
export async function* large(site: Site): AsyncGenerator<Timing> {
  for (const drawing of ["graph", "rows"] as const) {
    yield await moved(site, drawing, {
      program: distinctProgram(1_000),
      what: "1,000 distinct operators",
      aim: frame,
    });
  }
  yield* await tenThousand(site);
}

type Drawing = "rows" | "graph";

interface Moved {
  readonly program: string;
  readonly what: string;
  readonly aim: number;
}

/** Drags the canvas, or scrolls the rows, with the heat drawn on them. */
async function moved(site: Site, drawing: Drawing, { program, what, aim }: Moved): Promise<Timing> {
  const figures = await onFreshPage(site, { program, drawing }, async (page) => {
    await settle(page);
    return moveTimes(page, drawing);
  });
  const name = `${drawing === "graph" ? "pan" : "scroll"}, p95 of frames, ${what}`;
  return { ...timing(name, aim, figures), leastAim: aim };
}

async function tenThousand(site: Site): Promise<readonly Timing[]> {
  const opened: number[] = [];
  const longest: number[] = [];
  const program = loopProgram(10_000);
  for (let round = 0; round < rounds; round += 1) {
    await onFreshPage(site, { program }, async (page) => {
      await settle(page);
      opened.push(await page.evaluate(frameAfterNow));
      await moveTimes(page, "rows", 1);
      longest.push(await page.evaluate(() => window.probe.longestTask));
    });
  }
  return [
    timing("open, 10,000 operators", 3_000, opened),
    timing("longest task, opened and scrolled, 10,000 operators", 500, longest),
    await moved(site, "graph", { program, what: "10,000 operators", aim: 2 * frame }),
  ];
}

/** Milliseconds of a screen's frame, with tolerance for inexact frame clocks. */
const frame = 17;

function timing(what: string, aim: number, figures: readonly number[]): Timing {
  return { name: `browser: ${what}`, unit: "ms", aim, figures };
}

/** Runs in the page: time from navigation start until the present content is painted. */
function frameAfterNow(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  });
}

/** 95th percentile of the gaps between frames while the plan is moved, once per round. */
async function moveTimes(
  page: Page,
  drawing: Drawing,
  times: number = rounds,
): Promise<readonly number[]> {
  const name = drawing === "graph" ? "Graph" : "Board";
  const box = await page.getByRole("region", { name }).boundingBox();
  if (box === null) throw new Error("there is nothing to move");
  const [x, y] = [box.x + box.width / 2, box.y + box.height - 30];
  const found: number[] = [];
  for (let round = 0; round < times; round += 1) {
    await page.mouse.move(x, y);
    if (drawing === "graph") await page.mouse.down();
    const gaps = page.evaluate(frameGaps, 1_500);
    for (let at = 0; at < 60; at += 1) {
      if (drawing === "rows") await page.mouse.wheel(0, at < 30 ? 100 : -100);
      else await page.mouse.move(x + 200 * Math.sin(at / 5), y - 100 * Math.sin(at / 7));
    }
    found.push(share(await gaps, 0.95));
    await page.mouse.up();
  }
  return found;
}
