import { expect, type Locator, type Page } from "@playwright/test";

/** What a journey does on the page; waits are for `data-ready`, never for time. */
export interface PlanPage {
  readonly page: Page;
  open(address?: string): Promise<void>;
  /** Until every edit has been compiled. */
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
  const settle = async () => {
    await expect(page.locator("[data-ready]")).toHaveAttribute("data-ready", "idle");
  };
  return {
    page,
    settle,
    open: async (address = "/") => {
      await page.goto(address);
      await settle();
    },
    selectProgram: async () => {
      await editorLines(page).first().click();
      await page.keyboard.press("Control+A");
    },
    paste: async (text) => {
      await page.evaluate((content) => navigator.clipboard.writeText(content), text);
      await page.keyboard.press("Control+V");
      await settle();
    },
    program: async () => {
      await editorLines(page).first().click();
      await page.keyboard.press("Control+A");
      await page.keyboard.press("Control+C");
      await page.keyboard.press("Control+Home");
      return page.evaluate(() => navigator.clipboard.readText());
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

function editorLines(page: Page): Locator {
  return page.getByTestId("program").locator(".view-line");
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
