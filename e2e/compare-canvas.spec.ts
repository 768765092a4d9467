import { expect, type Page, test } from "@playwright/test";
import { firstExample } from "./one-page.ts";
import { type PlanPage, planPage, watchNoise } from "./plan-page.ts";

/**
 * Pins the plan by its key, then splits w2.k over mp: the all-gather disappears, an all-reduce
 * appears.
 */
async function pinAndSplit(page: Page, plan: PlanPage) {
  await page.locator(".react-flow__pane").click({ position: { x: 20, y: 400 } });
  await page.keyboard.press("v");
  await page.getByTestId("tensor-w2").click();
  await page.getByTestId("dim-w2-0").first().focus();
  await page.keyboard.press("2");
  await plan.settle();
}

test("both drawings mark what differs from the pinned plan, until the marks are taken away", async ({
  page,
}) => {
  const noise = watchNoise(page);
  const plan = planPage(page);
  await plan.open(firstExample);
  await pinAndSplit(page, plan);
  const legend = page.getByTestId("difference");
  await expect(legend).toContainText("1 only here");
  await expect(legend).toContainText("1 only in A");
  await expect(page.getByTestId("tensor-w2")).toHaveAccessibleName(/baseline: was \[/);
  await expect(page.locator(".dgone")).toContainText("−1.05 MB");
  await expect(page.locator(".dmark", { hasText: "+524 kB" })).toBeVisible();
  await page.getByRole("radio", { name: "Rows" }).check({ force: true });
  await expect(page.getByTestId("operator-y")).toHaveAccessibleName(
    /baseline: was split b over dp/,
  );
  await expect(page.locator(".bmarks .dgone")).toContainText("−1.05 MB");
  await expect(page.locator(".bbefore")).toHaveCount(1);
  await legend.getByRole("button", { name: "Marks against A" }).click();
  await expect(page.locator(".dmark, .dgone, .bbefore")).toHaveCount(0);
  await expect(page.getByTestId("operator-y")).not.toHaveAccessibleName(/baseline/);
  expect(noise).toEqual([]);
});

test("variants stand side by side, an edit changes the one on screen, a press swaps another in", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open(firstExample);
  await pinAndSplit(page, plan);
  await page.getByTestId("difference").getByTestId("variants-open").click();
  const kept = page.getByTestId("variant-A");
  const now = page.getByTestId("variant-now");
  await expect(kept).toContainText("1.05 MB");
  await expect(now).toContainText("−524 kB");
  await kept.getByRole("button", { name: /work on it/ }).click();
  await plan.settle();
  await expect(now).toContainText("1.05 MB");
  await expect(kept).toContainText("524 kB");
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await plan.settle();
  await expect(kept).toContainText("1.05 MB");
  await expect(now).toContainText("524 kB");
  await page.getByRole("button", { name: "Close the variants" }).click();
  await expect(page.getByTestId("variants")).toHaveCount(0);
  await page.getByTestId("compare").click();
  await expect(kept).toContainText("1.05 MB");
  await page.getByTestId("compare").click();
  await expect(page.getByTestId("variants")).toHaveCount(0);
});

for (const [width, height] of [
  [834, 1112],
  [390, 844],
] as const) {
  test.describe(`by touch at ${width}`, () => {
    test.use({ viewport: { width, height }, hasTouch: true });

    test("a plan is kept as a variant, stacked above the present one", async ({ page }) => {
      const plan = planPage(page);
      await plan.open();
      await page.getByRole("tab", { name: "Costs" }).tap();
      await page.getByTestId("baseline-pin").tap();
      await page.locator(".baseline-buttons").getByTestId("variants-open").tap();
      const [kept, now] = [page.getByTestId("variant-A"), page.getByTestId("variant-now")];
      await expect(kept).toBeVisible();
      const [above, below] = [await kept.boundingBox(), await now.boundingBox()];
      expect(below?.y).toBeGreaterThan(above?.y ?? 0);
      expect(below?.x).toBe(above?.x);
      await page.getByRole("button", { name: "Close the variants" }).tap();
      await expect(page.getByTestId("difference")).toContainText("nothing differs");
    });
  });
}
