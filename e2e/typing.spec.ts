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
  // As an input method types: letter by letter, all within one task.
  await page.keyboard.insertText(text);
  await plan.settle();
  await expect.poll(drawn).toEqual(before);
});

test("a walk by Tab writes nothing; what was typed lets Tab indent until Escape", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open();
  const before = await plan.program();
  const editor = page.getByTestId("program").locator("[role=textbox]").first();
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  for (const step of ["in", "out"]) {
    const isWanted = step === "in";
    for (let press = 0; press < 60; press += 1) {
      await page.keyboard.press("Tab");
      const isIn = await editor.evaluate((element) => element === document.activeElement);
      if (isIn === isWanted) break;
    }
  }
  await expect(editor).not.toBeFocused();
  expect(await plan.program()).toBe(before);
  await plan.selectProgram();
  await page.keyboard.type("if x:");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("y");
  await plan.settle();
  expect(await plan.program()).toMatch(/^if x:\n +y$/u);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(editor).not.toBeFocused();
});
