import { type BrowserContext, type Page, test } from "@playwright/test";
import { nextFrame, planPage } from "./plan-page.ts";

/** First example, as an address that an open page follows. */
export const firstExample = "/#example=two-matmuls";

/** Arguments of a journey. */
interface Given {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** Journeys by title. */
type Journeys = Readonly<Record<string, (given: Given) => Promise<void>>>;

/** Longest time of a journey on a busy machine. */
const timeoutMilliseconds = 20_000;

/**
 * Test of journeys that run one after another on one page. Loading the page takes ten times as long
 * as following an address, so only the first journey loads it.
 */
export function onOnePage(journeys: Journeys): (given: Given) => Promise<void> {
  const entries = Object.entries(journeys);
  return async ({ page, context }) => {
    test.setTimeout((2 + entries.length) * timeoutMilliseconds);
    for (const [at, [name, journey]] of entries.entries()) {
      await test.step(name, async () => {
        if (at > 0) await clear(page);
        await journey({ page, context });
      });
    }
  };
}

/** One journey per case, with the case's title. */
export function perCase<Case>(
  cases: readonly Case[],
  nameOf: (each: Case) => string,
  journey: (given: Given, each: Case) => Promise<void>,
): Journeys {
  return Object.fromEntries(
    cases.map((each) => [nameOf(each), (given: Given) => journey(given, each)]),
  );
}

/**
 * Resets an open page: empty text, first tabs, no overlay, empty storage, no focus, pointer in the
 * corner. Settings stay until the page is loaded again.
 */
async function clear(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  // A palette with a query needs two presses of Escape.
  for (let press = 0; press < 2 && (await page.locator("dialog[open]").count()) > 0; press += 1) {
    await page.keyboard.press("Escape");
    await nextFrame(page);
  }
  const plan = planPage(page);
  await plan.open("/#new");
  await page.evaluate(() => {
    for (const tabs of document.querySelectorAll("[role=tablist]")) {
      tabs.querySelector<HTMLElement>("[role=tab]")?.click();
    }
    localStorage.clear();
    sessionStorage.clear();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await plan.settle();
}
