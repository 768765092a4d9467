import { expect, test } from "@playwright/test";
import { planPage, watchNoise } from "./plan-page.ts";

test("the first visit shows a running example, without a dialog, a foreign request or an error", async ({
  page,
}) => {
  const noise = watchNoise(page);
  const plan = planPage(page);
  await plan.open();
  await expect(page.getByTestId("operator-h")).toBeVisible();
  await expect(page.getByTestId("tensor-w2")).toBeVisible();
  await expect(page.getByTestId("redist-0")).toContainText("all-gather");
  await expect(page.getByTestId("hud-time")).toContainText("model");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator(".monaco-editor .view-line").first()).toBeVisible();

  await test.step("the hinted gesture is legal and lowers both numbers", async () => {
    const before = { comm: await plan.number("hud-comm"), memory: await plan.number("hud-memory") };
    await expect(page.getByRole("note")).toContainText("w2");
    await page.getByTestId("dim-w2-0").focus();
    await page.keyboard.press("2");
    await plan.settle();
    await expect(page.getByTestId("hud-delta")).toContainText("−");
    expect(await plan.number("hud-comm")).toBeLessThan(before.comm);
    expect(await plan.number("hud-memory")).toBeLessThan(before.memory);
  });
  expect(noise).toEqual([]);
});

test("a draft is still there after a reload", async ({ page }) => {
  const plan = planPage(page);
  await plan.open();
  await plan.selectProgram();
  await plan.paste("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\n");
  await page.reload();
  await plan.settle();
  await expect(page.getByTestId("operator-y")).toBeVisible();
  expect(await plan.program()).toBe("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\n");
});
