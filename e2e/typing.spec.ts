import { expect, test } from "@playwright/test";
import { planPage } from "./plan-page.ts";

test("a typed line with spaces and digits arrives as typed", async ({ page }) => {
  const plan = planPage(page);
  await plan.open();
  await plan.selectProgram();
  await page.keyboard.type('x = Tensor((8, 16), "f32")  # 0 1 2 3 spaces and digits');
  await plan.settle();
  expect(await plan.program()).toBe('x = Tensor((8, 16), "f32")  # 0 1 2 3 spaces and digits');
});
