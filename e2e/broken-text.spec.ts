import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

test(
  "broken text keeps what can be kept",
  onOnePage({
    "broken text keeps the last good picture, marked stale, and mends itself": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const good = await plan.ranges("h");
      const text = await plan.program();
      await plan.selectProgram();
      await plan.paste(`${text}y = project(h, \n`);
      await expect(page.getByTestId("stale")).toContainText("last valid version");
      await expect(
        page.getByTestId("problems").locator("[data-severity=error]").first(),
      ).toBeVisible();
      await expect(page.getByTestId("operator-h")).toContainText("stale");
      expect(await plan.ranges("h")).toEqual(good);
      await page.keyboard.press("Control+Z");
      await plan.settle();
      await expect(page.getByTestId("stale")).toHaveCount(0);
      expect(await plan.program()).toBe(text);
    },

    "F8 goes to the problem": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(nothing)\n");
      await page.getByTestId("mesh-axis-dp").focus();
      await page.keyboard.press("F8");
      await expect(
        page.locator(".monaco-editor.focused, .monaco-editor:focus-within"),
      ).toBeVisible();
    },

    "a syntax error in the middle leaves everything before and after on screen": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const text = await plan.program();
      const operators = page.locator("[data-testid^=operator-]");
      await expect(page.getByTestId("operator-y")).toBeVisible();
      const before = await operators.count();
      const ranges = await plan.ranges("y");
      const at = text.indexOf("w2 = ");
      await plan.selectProgram();
      await plan.paste(`${text.slice(0, at)}oops = = (\n${text.slice(at)}`);
      const error = page.getByTestId("problems").locator("[data-severity=error]").first();
      await expect(error).toBeVisible();
      await expect(operators).toHaveCount(before);
      expect(await plan.ranges("y")).toEqual(ranges);
      await expect(page.locator(".view-line .t-axis").first()).toBeVisible();
      await expect(page.locator(".view-line .inl-axis").first()).toBeVisible();
    },
  }),
);
