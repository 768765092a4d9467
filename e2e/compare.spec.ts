import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { planPage, watchNoise } from "./plan-page.ts";

test(
  "plans are held against each other",
  onOnePage({
    "a pinned plan is the baseline of every number, swaps with the present one, and is let go":
      async ({ page }) => {
        const noise = watchNoise(page);
        const plan = planPage(page);
        await plan.open(firstExample);
        const first = await plan.number("hud-comm");
        await page.getByRole("button", { name: "Pin this plan as the baseline" }).click();
        await page.getByTestId("dim-w2-0").focus();
        await page.keyboard.press("2");
        await plan.settle();
        const second = await plan.number("hud-comm");
        const delta = page.getByTestId("hud-delta");
        await expect(delta).toContainText("Against");
        await page.getByTestId("hud-comm").getByRole("button").click();
        const rows = page.getByTestId("parts-comm").locator("tbody tr");
        await expect(rows.first()).toContainText("all-gather mp of h");
        await expect(rows.nth(1)).toContainText("all-reduce mp of y");
        await page.getByTestId("baseline-swap").click();
        await plan.settle();
        expect(await plan.number("hud-comm")).toBe(first);
        await expect(delta).toContainText("+524 kB");
        await page.getByRole("button", { name: /^Undo/ }).click();
        await plan.settle();
        expect(await plan.number("hud-comm")).toBe(second);
        await page.getByTestId("baseline-unpin").click();
        await expect(delta).toContainText("Since");
        expect(noise).toEqual([]);
      },

    "a press on a number lists its parts, which light up and lead to their place": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByTestId("hud-time").getByRole("button").first().click();
      const parts = page.getByTestId("parts-time");
      await expect(parts.locator("tbody tr")).toHaveCount(3);
      await expect(page.locator(".light.on").getByTestId("redist-0")).toBeVisible();
      await expect(page.locator(".light.off").getByTestId("tensor-w1")).toBeVisible();
      await parts.getByRole("button", { name: "y = project(h, w2)", exact: true }).hover();
      await expect(page.locator(".light.off").getByTestId("redist-0")).toBeVisible();
      await parts.getByRole("button", { name: "all-gather mp of h", exact: true }).click();
      await page.keyboard.press("Escape");
      await expect(page.getByTestId("cost-table")).toHaveCount(0);
    },

    "a cheaper way beside a redistribution is one press and one undo": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const before = await plan.program();
      const ways = page.getByTestId("alternatives").first();
      const cut = ways.getByRole("button", { name: /Cut y: k over mp/ });
      await expect(cut).toContainText("does without it");
      await expect(ways.getByRole("button")).toHaveCount(2);
      await cut.click();
      await expect(page.getByTestId("hud-delta")).toContainText("Cut y: k over mp");
      await plan.settle();
      expect((await plan.ranges("w2"))[1]?.[0]).toEqual([2048, 4096]);
      await page.getByRole("button", { name: /^Undo/ }).click();
      await plan.settle();
      expect(await plan.program()).toBe(before);
    },

    "three plans are pinned beside the present one, and a link carries them": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const canvas = page.locator(".react-flow__pane");
      const press = async (key: string) => {
        await canvas.click({ position: { x: 20, y: 240 } });
        await page.keyboard.press(key);
      };
      await press("c");
      for (const [tensor, dim, key] of [
        ["tensor-w2", "dim-w2-0", "2"],
        ["tensor-h", "dim-h-1", "0"],
      ] as const) {
        await page.getByTestId(tensor).click();
        await page.getByTestId(dim).first().focus();
        await page.keyboard.press(key);
        await plan.settle();
        await press("c");
      }
      await page.getByTestId("hud-comm").getByRole("button").click();
      const plans = page.getByTestId("plans");
      await expect(plans.locator("tbody tr")).toHaveCount(5);
      const changes = page.getByTestId("parts-comm").locator("tbody tr td:last-child");
      await plans.getByRole("button", { name: /^A / }).click();
      await expect(page.getByTestId("parts-comm")).toContainText("Δ A");
      await expect(changes.first()).not.toHaveText("±0 B");
      await plans.getByRole("button", { name: "Unpin B" }).click();
      await expect(plans.locator("tbody tr")).toHaveCount(4);
      await page.keyboard.press("Escape");
      await page.getByTestId("share-link").click();
      const address = await page.getByTestId("share-url").inputValue();
      expect(address.match(/&b=/g)).toHaveLength(2);
      await page.goto("about:blank");
      await plan.open(address);
      await page.getByTestId("hud-comm").getByRole("button").click();
      await expect(plans.locator("tbody tr")).toHaveCount(4);
    },
  }),
);

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("plans are pinned and swapped among the costs", async ({ page }) => {
    const plan = planPage(page);
    await plan.open();
    await page.getByRole("tab", { name: "Costs" }).tap();
    await page.getByTestId("baseline-pin").tap();
    const plans = page.getByTestId("plans");
    await expect(plans).toContainText("Two matmuls");
    await plans.getByRole("button", { name: "Unpin A" }).tap();
    await expect(plans).toHaveCount(0);
  });
});
