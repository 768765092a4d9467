import { type BrowserContext, type Page, test } from "@playwright/test";
import { nextFrame, planPage } from "./plan-page.ts";

/** The example that the page begins with, as an address that an open page follows. */
export const firstExample = "/#example=two-matmuls";

/** The tools of a journey. */
interface Given {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** Journeys by what they hold. */
type Journeys = Readonly<Record<string, (given: Given) => Promise<void>>>;

/** The longest time of a journey on a busy machine. */
const timeoutMilliseconds = 20_000;

/**
 * A test of journeys that go one after another on one page. To load the page takes ten times as
 * long as to follow an address on it, so only the first of them loads it.
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
 * Leaves an open page with an empty text, its first tabs, nothing over it, nothing kept, no focus
 * and no pointer. Settings stay until the page is loaded again.
 */
async function clear(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  // A palette with words in it takes two.
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
