import type { Page } from "@playwright/test";
import { chainProgram } from "../programs.ts";
import { onFreshPage, type Site, settle, toTheEnd } from "./page.ts";
import { awaitInput, settledAfterInput } from "./probe.ts";
import { share, type Timing } from "./timing.ts";

/** A program, and the time limit (ms) from an edit of one strategy to its paint. */
interface Size {
  readonly operators: number;
  readonly mesh: readonly [dp: number, mp: number];
  readonly aim: number;
  readonly drawing: "rows" | "graph";
  /** Edits per round; an even number, so that a round ends in its initial state. */
  readonly edits: number;
}

/**
 * Sizes with promised times, in both drawings; then few operators on more devices than a card can
 * show.
 */
const sizes: readonly Size[] = [
  ...(["rows", "graph"] as const).flatMap((drawing) => [
    { operators: 20, mesh: [2, 4] as const, aim: 33, drawing, edits: 4 },
    { operators: 300, mesh: [8, 8] as const, aim: 80, drawing, edits: 2 },
    { operators: 1_000, mesh: [32, 16] as const, aim: 200, drawing, edits: 2 },
  ]),
  { operators: 20, mesh: [64, 64], aim: 300, drawing: "graph", edits: 2 },
  { operators: 20, mesh: [256, 256], aim: 2_000, drawing: "graph", edits: 2 },
];

const roundsOfEdits = 3;

/** A tensor whose table is in sight, as for a tensor that a user edits. */
const tensor = "h3";
const table = `table-${tensor}`;

/** Selector of the element that has the focus while the user types. */
const editor = ".monaco-host .native-edit-context, .monaco-host .inputarea";

/**
 * Pause (ms) before an edit, as a user would make. Background work of the last edit ends, and so
 * does the typing burst that is undone as one step.
 */
const pauseMs = 600;

/** Time from an edit of a strategy until graph, mesh, tensor and cost bar are painted. */
export async function* edits(site: Site): AsyncGenerator<Timing> {
  for (const size of sizes) yield* editsOf(site, size);
}

async function* editsOf(site: Site, size: Size): AsyncGenerator<Timing> {
  const { operators, mesh, aim, drawing } = size;
  const [dp, mp] = mesh;
  const program = chainProgram(operators, dp, mp);
  const found: Record<Kind, number[]> = { edit: [], undo: [], gesture: [] };
  await onFreshPage(site, { program, tensor, drawing }, async (page) => {
    await toTheEnd(page);
    await page.keyboard.insertText(`strategy(${tensor}, b="mp", f="dp")`);
    await settle(page);
    // The first edit runs code that is not compiled yet, so it is not counted.
    await editTimes(page, gestureKeys.length);
    for (let round = 0; round < roundsOfEdits; round += 1) {
      const times = await editTimes(page, size.edits);
      for (const kind of kinds) found[kind].push(share(times[kind], 0.95));
    }
  });
  const what = `${operators} operators × ${dp * mp} devices, ${drawing}`;
  for (const kind of kinds) {
    const name = `browser: ${kind} to painted slices, p95, ${what}`;
    yield { name, unit: "ms", aim, figures: found[kind] };
  }
}

const kinds = ["edit", "undo", "gesture"] as const;

type Kind = (typeof kinds)[number];

/**
 * Keys pressed on the tensor's first dim: it becomes whole, then is cut by the second axis again.
 */
const gestureKeys = ["0", "2"] as const;

/**
 * Times of three kinds of edits: the strategy is commented out, giving a new text each time; that
 * is undone; and in the drawing an axis is removed from a dim of the tensor, or added back.
 */
async function editTimes(page: Page, count: number): Promise<Record<Kind, readonly number[]>> {
  const times: Record<Kind, number[]> = { edit: [], undo: [], gesture: [] };
  for (let at = 0; at < count; at += 1) {
    await page.keyboard.type(" ");
    await settle(page);
    times.edit.push(await editTime(page, "Control+/"));
    times.undo.push(await editTime(page, "Control+z"));
    await page.locator(".dims .dim-hit").first().focus();
    times.gesture.push(await editTime(page, gestureKeys[at % gestureKeys.length] ?? "0"));
    await page.locator(editor).focus();
    await page.keyboard.press("Control+End");
  }
  return times;
}

async function editTime(page: Page, key: string): Promise<number> {
  const slices = page.getByTestId(table);
  await page.waitForTimeout(pauseMs);
  const before = await slices.textContent();
  await page.evaluate(awaitInput, table);
  await page.keyboard.press(key);
  const time = await page.evaluate(settledAfterInput, { quietMs: 200, table });
  if ((await slices.textContent()) === before) {
    const said = await page.getByTestId("status").textContent();
    throw new Error(`${tensor} lies as before, after ${key}: ${said}`);
  }
  await settle(page);
  return time;
}
