import { type BrowserContext, type Page, test } from "@playwright/test";
import { nextFrame, planPage } from "./plan-page.ts";

/** The page's first example, as an address that an open page follows. */
export const firstExample = "/#example=two-matmuls";

/** The fixtures of a journey. */
interface Given {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** Journeys by their names. */
type Journeys = Readonly<Record<string, (given: Given) => Promise<void>>>;

/** The most milliseconds of a journey on a busy machine. */
const timeoutMilliseconds = 20_000;

/**
 * A test of several journeys on one page. Loading the page takes ten times as long as following an
 * address on it, so only the first journey loads it.
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

/** A journey for each of some cases. */
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
 * Resets an open page: an empty text, its first tabs, no overlay, no storage, no focus and no
 * pointer. Settings stay until the page is loaded again.
 */
async function clear(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  // With words in it, the palette takes two Escapes.
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
