import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { isWhole, middleOf, planPage } from "./plan-page.ts";

/** Selects something else first, so that the effect of a click shows. */
async function elsewhere(page: import("@playwright/test").Page): Promise<void> {
  await page.getByTestId("tensor-w1").click();
}

test(
  "what can be pressed answers",
  onOnePage({
    "every card, tensor, badge and device answers a mouse click": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const targets = page.locator(
        '.canvas [data-testid^="operator-"], .canvas [data-testid^="tensor-"], .canvas [data-testid^="redist-"], [data-testid^="device-"]',
      );
      await isWhole(page);
      await expect(page.getByTestId("operator-y")).toBeVisible();
      await expect(page.getByTestId("device-3")).toBeVisible();
      const count = await targets.count();
      expect(count).toBeGreaterThan(10);
      for (let at = 0; at < count; at += 1) {
        const target = targets.nth(at);
        if ((await target.getAttribute("aria-pressed")) === "true") await elsewhere(page);
        const name = await target.getAttribute("data-testid");
        const { x, y } = await middleOf(target);
        await page.mouse.click(x, y);
        await expect(target, `${name}`).toHaveAttribute("aria-pressed", "true");
      }
    },

    "Tab stops, stills, axis chips and arrows do what they should": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await test.step("the canvas takes at most three stops of the Tab key", async () => {
        await expect(page.getByTestId("operator-y")).toBeVisible();
        const stops = await page
          .locator(".mid .canvas, .mid .canvas-top")
          .evaluateAll(
            (areas) =>
              areas.flatMap((area) =>
                [
                  ...area.querySelectorAll<HTMLElement>("button, input, a[href], [tabindex]"),
                ].filter(
                  (element) =>
                    element.tabIndex >= 0 &&
                    !(element instanceof HTMLInputElement && !element.checked),
                ),
              ).length,
          );
        expect(stops).toBeLessThanOrEqual(4);
      });
      await test.step("the step view goes through its stills", async () => {
        await page.getByTestId("step-prev").click();
        await expect(page.getByRole("slider", { name: "Step" })).toHaveAttribute(
          "aria-valuetext",
          /^before/,
        );
        await page.getByTestId("step-next").click();
        await page.getByTestId("step-next").click();
        await expect(page.getByRole("slider", { name: "Step" })).toHaveAttribute(
          "aria-valuetext",
          /^after/,
        );
      });
      await test.step("every axis chip answers a click and Escape lets go", async () => {
        for (const axis of ["dp", "mp"]) {
          const chip = page.getByTestId(`mesh-axis-${axis}`);
          await chip.click();
          await expect(chip).toHaveAttribute("aria-pressed", "true");
          await page.keyboard.press("Escape");
          await expect(chip).toHaveAttribute("aria-pressed", "false");
        }
      });
      await test.step("arrows move over the graph and Enter selects", async () => {
        await page.getByTestId("operator-h").focus();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowDown");
        await expect(page.getByTestId("operator-y")).toBeFocused();
        await page.keyboard.press("Enter");
        await expect(page.getByTestId("operator-y")).toHaveAttribute("aria-pressed", "true");
      });
      await test.step("an axis is resized in the text", async () => {
        await page.getByRole("button", { name: "Grow mp to 4" }).click();
        await plan.settle();
        expect(await plan.program()).toContain("Mesh(dp=2, mp=4)");
        await expect(page.getByTestId("device-7")).toBeVisible();
      });
    },
  }),
);
