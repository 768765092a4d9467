import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { isWhole, nextFrame, planPage, watchNoise } from "./plan-page.ts";

test(
  "the thirty-second job, by pointer and by keys, with undo and a device that is followed",
  onOnePage({
    "the thirty-second job: see it running, follow the hint, step through, copy the link": async ({
      page,
    }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(firstExample);
      await expect(page.getByRole("note")).toContainText("Drop mp on w2.k");
      const before = await plan.number("hud-comm");
      await page.getByTestId("mesh-axis-mp").click();
      await page.getByTestId("dim-w2-0").click();
      await plan.settle();
      expect(await plan.number("hud-comm")).toBeLessThan(before);
      await expect(page.getByTestId("hud-delta")).toContainText("Split w2.k over mp");
      await page.getByTestId("redist-0").click();
      const steps = page
        .getByRole("region", { name: /steps/iu })
        .or(page.locator(".player"))
        .first();
      await isWhole(page);
      await plan.settle();
      const shown = (await steps.textContent()) ?? "";
      await page.getByTestId("step-next").click();
      await expect(steps).not.toHaveText(shown);
      await page.getByTestId("share-link").click();
      await page.getByRole("button", { name: /^Copy/ }).first().click();
      await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      await page.goto("about:blank");
      await plan.open(link);
      expect((await plan.ranges("w2"))[1]?.[0]).toEqual([2048, 4096]);
      expect(noise).toEqual([]);
    },

    "the same job by keys alone": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const before = await plan.number("hud-comm");
      await tabTo(page, "tensor-");
      for (let at = 0; at < 12; at += 1) {
        const name = await page.evaluate(() => document.activeElement?.getAttribute("data-testid"));
        if (name === "tensor-w2") break;
        await page.keyboard.press(at % 2 === 0 ? "ArrowDown" : "ArrowLeft");
        await nextFrame(page);
      }
      await expect(page.getByTestId("tensor-w2")).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("dim-w2-0")).toBeFocused();
      await page.keyboard.press("2");
      await plan.settle();
      expect(await plan.number("hud-comm")).toBeLessThan(before);
      await page.keyboard.press("Control+z");
      await plan.settle();
      expect(await plan.number("hud-comm")).toBe(before);
      await page.keyboard.press("Control+k");
      await page.getByTestId("palette-query").fill("share");
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("share-url")).toBeVisible();
    },

    "five edits of text and canvas are undone and done again, wherever the focus is": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const texts = [await plan.program()];
      const edits: readonly (() => Promise<void>)[] = [
        async () => {
          await page.getByTestId("tensor-w2").click();
          await page.getByTestId("dim-w2-0").focus();
          await page.keyboard.press("2");
        },
        async () => {
          await plan.selectProgram();
          await page.keyboard.press("Control+End");
          await page.keyboard.type("v = gelu(y)");
        },
        async () => page.getByRole("button", { name: "Grow mp to 4" }).click(),
        async () => {
          await page.getByTestId("tensor-w1").click();
          await page.getByTestId("dim-w1-1").focus();
          await page.keyboard.press("0");
        },
        async () => {
          await plan.selectProgram();
          await page.keyboard.press("Control+Home");
          await page.keyboard.type("# mine");
          await page.keyboard.press("Enter");
        },
      ];
      for (const edit of edits) {
        await edit();
        await expect.poll(() => plan.program()).not.toBe(texts.at(-1));
        await plan.settle();
        texts.push(await plan.program());
      }
      const inText = () => page.getByTestId("program").locator(".view-line").first().click();
      const onCanvas = () => page.getByTestId("operator-h").focus();
      for (const [at, text] of texts.slice(0, -1).toReversed().entries()) {
        await undoUntil(text, "Control+z", at % 2 === 0 ? inText : onCanvas);
      }
      for (const [at, text] of texts.slice(1).entries()) {
        await undoUntil(text, "Control+Shift+z", at % 2 === 0 ? onCanvas : inText);
      }

      /**
       * Presses the key up to three times, since typing in bursts makes several entries, until the
       * text is there.
       */
      async function undoUntil(
        text: string,
        key: string,
        focus: () => Promise<void>,
      ): Promise<void> {
        for (let presses = 0; presses < 3; presses += 1) {
          await focus();
          await page.keyboard.press(key);
          await plan.settle();
          if ((await plan.program()) === text) return;
        }
        expect(await plan.program()).toBe(text);
      }
    },

    "a device that is followed lights its part of every tensor, and stays lit when pinned": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const lit = page.locator("[data-testid^=tensor-] .glyph-lit");
      await expect(lit).toHaveCount(0);
      await page.getByTestId("device-1").hover();
      const tensors = page.locator("button[data-testid^=tensor-]");
      await expect(lit).toHaveCount(await tensors.count());
      await page.getByTestId("device-1").click();
      await page.getByTestId("operator-h").hover();
      await expect(lit).toHaveCount(await tensors.count());
      await page.getByTestId("device-1").click();
      await page.getByTestId("operator-h").hover();
      await expect(lit).toHaveCount(0);
    },
  }),
);

/** Presses Tab until an element whose test id begins so has the focus. */
async function tabTo(page: Page, start: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    await nextFrame(page);
    const id = await page.evaluate(() => document.activeElement?.getAttribute("data-testid"));
    if (id?.startsWith(start)) return;
    // Inside the editor Tab indents until Ctrl+M frees it.
    if (await page.evaluate(() => document.activeElement?.closest(".monaco-editor") !== null)) {
      await page.keyboard.press("Control+m");
    }
  }
  throw new Error(`no Tab stop starts with ${start}`);
}
