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

test("a text that is replaced by itself keeps its marks, colours and layouts", async ({ page }) => {
  const plan = planPage(page);
  await plan.open();
  await plan.selectProgram();
  const text = 'mesh = Mesh(dp=2)\nx = Tensor()\ny = relu(x)\nstrategy(y, b="dp")\n';
  await plan.paste(text);
  const editor = page.getByTestId("program");
  const mark = editor.locator("[class*=squiggly]");
  await expect(mark).toHaveCount(1);
  await expect(editor.locator(".view-line .inl-axis").first()).toBeVisible();
  const drawn = async () => ({
    mark: await mark.boundingBox(),
    coloured: await editor.locator(".view-line [class*='t-']").allTextContents(),
    layouts: await editor.locator(".view-line .inl-axis").allTextContents(),
  });
  const before = await drawn();
  await page.keyboard.press("Control+A");
  // As an input method writes it: letter by letter, all within one task.
  await page.keyboard.insertText(text);
  await plan.settle();
  await expect.poll(drawn).toEqual(before);
});
