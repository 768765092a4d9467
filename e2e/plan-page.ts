import { expect, type Locator, type Page } from "@playwright/test";

/** Actions of a journey on the page; they wait for `data-ready`, never for a fixed time. */
export interface PlanPage {
  readonly page: Page;
  open(address?: string): Promise<void>;
  /** Loads an address anew, instead of following it as a link of the open page. */
  openAnew(address?: string): Promise<void>;
  /** Waits until every edit has been compiled and its results are painted. */
  settle(): Promise<void>;
  /** Focuses the editor and selects its whole text. */
  selectProgram(): Promise<void>;
  paste(text: string): Promise<void>;
  /** Text of the program, as copied from the editor. */
  program(): Promise<string>;
  /** `[start, stop]` per device and dim, from a tensor's hidden table. */
  ranges(tensor: string): Promise<readonly (readonly (readonly [number, number])[])[]>;
  number(testId: "hud-comm" | "hud-memory"): Promise<number>;
}

/** Actions on a page with a plan, in a real browser. */
export function planPage(page: Page): PlanPage {
  // Not `expect`, which describes the whole page at each failed try.
  const isIdle = () => page.locator("[data-ready=idle]").waitFor(attached);
  const settle = async () => {
    await isIdle();
    // Waits a frame, so that work that begins then, such as a palette command, counts.
    await nextFrame(page);
    await isIdle();
  };
  const open = async (address = "/") => {
    await page.goto(address);
    await settle();
  };
  return {
    page,
    settle,
    open,
    openAnew: async (address) => {
      await page.goto("about:blank");
      await open(address);
    },
    selectProgram: () => selectProgram(page),
    paste: async (text) => {
      await page.evaluate((content) => navigator.clipboard.writeText(content), text);
      await page.keyboard.press("Control+V");
      await settle();
    },
    program: async () => {
      await selectProgram(page);
      // Replaces an earlier clipboard text, which would pass for a copy.
      await page.evaluate((text) => navigator.clipboard.writeText(text), notCopied);
      await page.keyboard.press("Control+C");
      let copied = notCopied;
      await expect
        .poll(async () => {
          copied = await clipboard(page);
          return copied;
        })
        .not.toBe(notCopied);
      await page.keyboard.press("Control+Home");
      return copied;
    },
    ranges: (tensor) =>
      page
        .getByTestId(`table-${tensor}`)
        .evaluate((table) =>
          [...table.querySelectorAll("tr[data-device]")].map((row) =>
            [...row.querySelectorAll("[data-start]")].map(
              (cell) =>
                [
                  Number(cell.getAttribute("data-start")),
                  Number(cell.getAttribute("data-stop")),
                ] as const,
            ),
          ),
        ),
    number: async (testId) => Number(await page.getByTestId(testId).getAttribute("data-bytes")),
  };
}

/** Options of waits for elements that need not be visible; the timeout is that of `expect`. */
const attached = { state: "attached", timeout: 15_000 } as const;

/** Waits until the page has painted its present state. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))),
  );
}

/** Waits until the editor and the step view, which load after the first paint, are there. */
export async function isWhole(page: Page): Promise<void> {
  await expect(page.locator(".code-scroll, .player:empty, .stepbar:empty")).toHaveCount(0);
}

/** Place and size of an element, in CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Box of an element once it stops moving. */
export async function boxOf(target: Locator): Promise<Box> {
  await target.waitFor();
  return target.evaluate(
    (element) =>
      new Promise<Box>((done) => {
        let before = "";
        const look = () => {
          const { x, y, width, height } = element.getBoundingClientRect();
          const now = [x, y, width, height].join(" ");
          if (now === before) return done({ x, y, width, height });
          before = now;
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );
}

/** Centre of an element once it stops moving. */
export async function middleOf(
  target: Locator,
): Promise<{ readonly x: number; readonly y: number }> {
  const { x, y, width, height } = await boxOf(target);
  return { x: x + width / 2, y: y + height / 2 };
}

const notCopied = "Nothing has been copied.";

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Page with a text pasted in place of its program. */
export async function pasted(page: Page, text: string, address?: string): Promise<PlanPage> {
  const plan = planPage(page);
  await plan.open(address);
  await plan.selectProgram();
  await plan.paste(text);
  return plan;
}

/**
 * Selects the whole text of the first editor; by focus, since a click would wait for two more
 * frames.
 */
async function selectProgram(page: Page): Promise<void> {
  await page.getByTestId("program").locator("[role=textbox]").first().focus();
  await page.keyboard.press("Control+A");
}

/** Draws the plan as a graph, whatever its size. */
export async function asGraph(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "Graph" }).check({ force: true });
  await expect(page.getByRole("region", { name: "Graph" })).toBeVisible();
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
}

/**
 * Collects events that must never happen: console errors, exceptions, requests to other origins.
 */
export function watchNoise(page: Page): readonly string[] {
  const noise: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") noise.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (fault) => noise.push(`exception: ${fault.message}`));
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isForeign = /^https?:$/.test(protocol) && hostname !== "localhost";
    if (isForeign) noise.push(`foreign request: ${request.url()}`);
  });
  return noise;
}
