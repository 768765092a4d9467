import { expect, test } from "@playwright/test";
import { firstExample, onOnePage, perCase } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

test(
  "the whole picture, the text and the tables are printed",
  onOnePage({
    ...perCase(
      [
        ["a desktop", { width: 1440, height: 900 }],
        ["a phone", { width: 390, height: 844 }],
      ] as const,
      ([device]) => `from ${device}, the whole picture, the text and the tables are printed`,
      async ({ page }, [, viewport]) => {
        await page.setViewportSize(viewport);
        const plan = planPage(page);
        await plan.open(firstExample);
        await page.emulateMedia({ media: "print" });
        const print = page.getByTestId("print");
        await expect(print).toBeVisible();
        await expect(page.getByTestId("share-link")).toBeHidden();
        await expect(print.locator("pre")).toContainText('strategy(h, b="dp", f="mp")');
        await expect(print.getByRole("row", { name: /all-gather mp of h/ })).toBeVisible();
        const size = () =>
          print
            .locator("img")
            .evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));
        await expect.poll(size).toBeGreaterThan(300);
        await page.emulateMedia({ media: "screen" });
        await expect(print).toHaveCount(0);
        await expect(page.getByTestId("share-link")).toBeVisible();
      },
    ),
  }),
);
