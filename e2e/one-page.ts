import { type Browser, type BrowserContext, test as base, type Page } from "@playwright/test";
import { isWhole, nextFrame, planPage } from "./plan-page.ts";

/** The example that the page begins with, as an address that an open page follows. */
export const firstExample = "/#example=two-matmuls";

/** What a journey is given. */
interface Given {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** Journeys by what they hold. */
type Journeys = Readonly<Record<string, (given: Given) => Promise<void>>>;

/** What tests of one worker have in common. */
interface OfWorker {
  /** Pages that are open, by what their windows are. */
  readonly openPages: Map<string, OpenPage>;
}

interface OpenPage {
  readonly page: Page;
  /** What the page looked like when it had been loaded. */
  readonly looks: string;
}

/**
 * Tests with a page that earlier tests of the worker may have used: to load it takes 1.6 s of the
 * processor, to clear it a tenth. A page that looks otherwise then, or has other settings, is
 * closed. A test of what happens while the page loads takes a `page` of its own.
 */
export const test = base.extend<{ readonly openPage: Page }, OfWorker>({
  openPages: [async ({ browser: _ }, use) => use(new Map()), { scope: "worker" }],
  openPage: async ({ browser, openPages, viewport, hasTouch, isMobile }, use, info) => {
    const kind = JSON.stringify([viewport, hasTouch, isMobile]);
    const { page, looks } = openPages.get(kind) ?? (await opened(browser));
    openPages.set(kind, { page, looks });
    await use(page);
    // After a test that fails the worker ends, with all of its pages.
    if (info.status !== info.expectedStatus) return;
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.emulateMedia({ colorScheme: null, reducedMotion: null, forcedColors: null });
    if (viewport !== null) await page.setViewportSize(viewport);
    await clear(page);
    const now = await looksOf(page);
    if (now === looks && !haveOtherSettings.has(page)) return;
    openPages.delete(kind);
    await page.context().close();
  },
});

async function opened(browser: Browser): Promise<OpenPage> {
  const page = await (await browser.newContext()).newPage();
  return { page, looks: await looksOf(page) };
}

/** An example that hardly any journey begins with: what is worked out for it may be cut short. */
const seldomOpened = "/#example=carry";

/** What of an example is there, pressed, chosen and open, before the page is empty again. */
async function looksOf(page: Page): Promise<string> {
  await planPage(page).open(seldomOpened);
  await isWhole(page);
  const looks = await page.evaluate(() => {
    const states = ["data-testid", "aria-pressed", "aria-selected", "aria-expanded", "open"];
    return [...document.querySelectorAll("body *")]
      .filter((each) => each.closest(".monaco-editor, .cm-editor") === null)
      .map((each) => {
        const isChecked = each instanceof HTMLInputElement && each.checked;
        return [isChecked, ...states.map((state) => each.getAttribute(state) ?? "")].join(" ");
      })
      .filter((each) => each !== "false     ")
      .join("\n");
  });
  await clear(page);
  return looks;
}

/** Pages with settings that a journey has made: they stay until the page is loaded again. */
const haveOtherSettings = new WeakSet<Page>();

/** Of a journey on a busy machine. */
const timeoutMilliseconds = 20_000;

/**
 * A test of journeys that go one after another on one page. To load the page takes ten times as
 * long as to follow an address on it, so only the first of them loads it.
 */
export function onOnePage(
  journeys: Journeys,
): (given: { readonly openPage: Page }) => Promise<void> {
  const entries = Object.entries(journeys);
  return async ({ openPage: page }) => {
    test.setTimeout((2 + entries.length) * timeoutMilliseconds);
    for (const [at, [name, journey]] of entries.entries()) {
      await test.step(name, async () => {
        if (at > 0) await clear(page);
        await journey({ page, context: page.context() });
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
  const hasSettings = await page.evaluate(() => {
    const hasSettings = localStorage.getItem("shardboard.settings") !== null;
    for (const tabs of document.querySelectorAll("[role=tablist]")) {
      tabs.querySelector<HTMLElement>("[role=tab]")?.click();
    }
    localStorage.clear();
    sessionStorage.clear();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return hasSettings;
  });
  if (hasSettings) haveOtherSettings.add(page);
  await plan.settle();
}
