import { expect } from "@playwright/test";
import { firstExample, test } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

test("a typed line with spaces and digits arrives as typed", async ({ openPage: page }) => {
  const plan = planPage(page);
  await plan.open(firstExample);
  await plan.selectProgram();
  await page.keyboard.type('x = Tensor((8, 16), "f32")  # 0 1 2 3 spaces and digits');
  await plan.settle();
  expect(await plan.program()).toBe('x = Tensor((8, 16), "f32")  # 0 1 2 3 spaces and digits');
});
