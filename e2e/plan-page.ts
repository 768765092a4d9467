import { expect, type Locator, type Page } from "@playwright/test";

/** The actions of a journey on the page; waits are for `data-ready`, never for time. */
export interface PlanPage {
  readonly page: Page;
  open(address?: string): Promise<void>;
  /** Opens an address as a first visit does, not as a link that an open page follows. */
  openAnew(address?: string): Promise<void>;
  /** Waits until every edit has been compiled and its results are painted. */
  settle(): Promise<void>;
  /** Puts the caret into the editor and selects its whole text. */
  selectProgram(): Promise<void>;
  paste(text: string): Promise<void>;
  /** The text as the editor would copy it. */
  program(): Promise<string>;
  /** `[start, stop]` per device and dim, from the hidden table of a tensor. */
  ranges(tensor: string): Promise<readonly (readonly (readonly [number, number])[])[]>;
  number(testId: "hud-comm" | "hud-memory"): Promise<number>;
}

/** The page of a plan under a real browser. */
export function planPage(page: Page): PlanPage {
  // Not `expect`, which describes the whole page at each failed try.
  const isIdle = () => page.locator("[data-ready=idle]").waitFor(attached);
  const settle = async () => {
    await isIdle();
    // A frame later, so that work which begins then, such as a command of the palette, counts.
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
      // Otherwise an earlier clipboard would pass for the copy.
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

/** Options for waits on elements that need not be visible; the timeout is that of `expect`. */
const attached = { state: "attached", timeout: 15_000 } as const;

/** Waits until the page has painted its present state. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))),
  );
}

/** Waits for the editor and the step view, which come after the first painting. */
export async function isWhole(page: Page): Promise<void> {
  await expect(page.locator(".code-scroll, .player:empty, .stepbar:empty")).toHaveCount(0);
}

/** The place and size of an element, in CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The box of an element once it no longer moves. */
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

/** The middle of an element that no longer moves. */
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

/** The page with a text in place of its program, as someone pastes it. */
export async function pasted(page: Page, text: string, address?: string): Promise<PlanPage> {
  const plan = planPage(page);
  await plan.open(address);
  await plan.selectProgram();
  await plan.paste(text);
  return plan;
}

/** Selects the whole text of the first editor, by keys: a click would wait for two frames more. */
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

/** Collects what a page must never do: console errors, exceptions, requests to elsewhere. */
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
