import type { Page } from "@playwright/test";
import { chainProgram } from "../programs.ts";
import { onFreshPage, type Site, settle, toTheEnd } from "./page.ts";
import { awaitInput, settledAfterInput } from "./probe.ts";
import { rounds, share, type Timing } from "./timing.ts";

/** A program, and how soon an edit of one strategy in it has to be painted. */
interface Size {
  readonly operators: number;
  readonly mesh: readonly [dp: number, mp: number];
  readonly aim: number;
  /** Edits of one round. */
  readonly edits: number;
}

const sizes: readonly Size[] = [
  { operators: 20, mesh: [2, 4], aim: 33, edits: 10 },
  { operators: 300, mesh: [8, 8], aim: 100, edits: 6 },
  { operators: 1_000, mesh: [32, 16], aim: 300, edits: 4 },
];

const tensor = "h11";
const table = `table-${tensor}`;

/** Between two edits a person looks; what the first leaves to work out aside is done by then. */
const pauseMs = 900;

/** From an edit of a strategy until graph, mesh, tensor and cost bar have been painted. */
export async function* edits(site: Site): AsyncGenerator<Timing> {
  for (const size of sizes) yield await editsOf(site, size);
}

async function editsOf(site: Site, { operators, mesh, aim, edits: count }: Size): Promise<Timing> {
  const [dp, mp] = mesh;
  const program = chainProgram(operators, dp, mp);
  const figures = await onFreshPage(site, { program, tensor }, async (page) => {
    await toTheEnd(page);
    await page.keyboard.insertText(`strategy(${tensor}, b="mp", f="dp")\n`);
    await settle(page);
    const found: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      found.push(share(await editTimes(page, count), 0.95));
    }
    return found;
  });
  const what = `${operators} operators × ${dp * mp} devices`;
  return { name: `browser: edit to painted slices, p95, ${what}`, unit: "ms", aim, figures };
}

/** The strategy goes and comes again: one key each, through the log of edits. */
async function editTimes(page: Page, count: number): Promise<readonly number[]> {
  const slices = page.getByTestId(table);
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const before = await slices.textContent();
    await page.evaluate(awaitInput, table);
    await page.keyboard.press(at % 2 === 0 ? "Control+z" : "Control+y");
    times.push(await page.evaluate(settledAfterInput, { quietMs: 300, table }));
    if ((await slices.textContent()) === before) throw new Error(`${tensor} lies as before`);
    await settle(page);
    await page.waitForTimeout(pauseMs);
  }
  return times;
}
