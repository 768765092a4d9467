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
  { operators: 20, mesh: [2, 4], aim: 33, edits: 20 },
  { operators: 300, mesh: [8, 8], aim: 100, edits: 6 },
  { operators: 1_000, mesh: [32, 16], aim: 300, edits: 4 },
  { operators: 20, mesh: [64, 64], aim: 300, edits: 4 },
  { operators: 20, mesh: [256, 256], aim: 2_000, edits: 2 },
];

/** One whose box is in sight, as what a person edits is. */
const tensor = "h3";
const table = `table-${tensor}`;

/** Before an edit a person looks; what the last one left to work out aside is done by then. */
const pauseMs = 900;

/** From an edit of a strategy until graph, mesh, tensor and cost bar have been painted. */
export async function* edits(site: Site): AsyncGenerator<Timing> {
  for (const size of sizes) yield* editsOf(site, size);
}

async function* editsOf(site: Site, size: Size): AsyncGenerator<Timing> {
  const { operators, mesh, aim } = size;
  const [dp, mp] = mesh;
  const program = chainProgram(operators, dp, mp);
  const found: Record<Kind, number[]> = { edit: [], undo: [] };
  await onFreshPage(site, { program, tensor }, async (page) => {
    await toTheEnd(page);
    await page.keyboard.insertText(`strategy(${tensor}, b="mp", f="dp")`);
    await settle(page);
    for (let round = 0; round < rounds; round += 1) {
      const times = await editTimes(page, size.edits);
      for (const kind of kinds) found[kind].push(share(times[kind], 0.95));
    }
  });
  const what = `${operators} operators × ${dp * mp} devices`;
  for (const kind of kinds) {
    const name = `browser: ${kind} to painted slices, p95, ${what}`;
    yield { name, unit: "ms", aim, figures: found[kind] };
  }
}

const kinds = ["edit", "undo"] as const;

type Kind = (typeof kinds)[number];

/**
 * The strategy is commented out, each time in a text that was never there before; then that is
 * undone.
 */
async function editTimes(page: Page, count: number): Promise<Record<Kind, readonly number[]>> {
  const times: Record<Kind, number[]> = { edit: [], undo: [] };
  for (let at = 0; at < count; at += 1) {
    await page.keyboard.type(" ");
    await settle(page);
    times.edit.push(await editTime(page, "Control+/"));
    times.undo.push(await editTime(page, "Control+z"));
  }
  return times;
}

async function editTime(page: Page, key: string): Promise<number> {
  const slices = page.getByTestId(table);
  await page.waitForTimeout(pauseMs);
  const before = await slices.textContent();
  await page.evaluate(awaitInput, table);
  await page.keyboard.press(key);
  const time = await page.evaluate(settledAfterInput, { quietMs: 300, table });
  if ((await slices.textContent()) === before) throw new Error(`${tensor} lies as before`);
  await settle(page);
  return time;
}
