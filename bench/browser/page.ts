import type { Browser, Page } from "@playwright/test";
import { encodeLink } from "#app/share";
import { installProbe, watchDrawing, watchElements, watchInput } from "./probe.ts";
import { installSight } from "./sight.ts";

/** The browser and the address of the page under test. */
export interface Site {
  readonly browser: Browser;
  readonly address: string;
}

/** Content of a new page. */
interface Look {
  readonly program: string;
  /** The selected tensor. */
  readonly tensor?: string;
  /** Drawing of the plan; by default chosen by the program's size. */
  readonly drawing?: "rows" | "graph";
}

/** Runs `use` on a new page as a first visit, with an empty cache. */
export async function onFreshPage<T>(
  { browser, address }: Site,
  look: Look | undefined,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(installSight);
    for (const script of [installProbe, watchElements, watchDrawing, watchInput])
      await page.addInitScript(script);
    const fragment =
      look === undefined
        ? ""
        : encodeLink(
            { text: look.program },
            {
              ...(look.tensor !== undefined && { tensor: look.tensor }),
              ...(look.drawing !== undefined && { drawing: look.drawing }),
            },
          );
    await page.goto(address + fragment);
    return await use(page);
  } finally {
    await context.close();
  }
}

/** Waits until the page is idle. */
export async function settle(page: Page): Promise<void> {
  await page.locator('[data-ready="idle"]').waitFor({ timeout: 60_000 });
}

/** Puts the caret at the end of the text; the editor loads a moment after the page. */
export async function toTheEnd(page: Page): Promise<void> {
  await settle(page);
  await page.getByTestId("program").locator(".view-line").first().click();
  await page.keyboard.press("Control+End");
}
