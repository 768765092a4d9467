import { expect, test } from "@playwright/test";
import { planPage } from "./plan-page.ts";

test("a problem leads to its explanation, in a page of its own", async ({ page, context }) => {
  const plan = planPage(page);
  await plan.open();
  await plan.selectProgram();
  await plan.paste('mesh = Mesh(dp=4)\nx = Tensor((5,))\ny = relu(x)\nplace(x, layout("dp"))\n');
  const link = page.getByRole("link", { name: "document/uneven-layout explained, in a new tab" });
  await link.focus();
  const opened = context.waitForEvent("page");
  await page.keyboard.press("Enter");
  const explained = await opened;
  await expect(explained).toHaveTitle("Diagnostics · Shardboard");
  const entry = explained.locator("article:target");
  await expect(entry).toContainText("The pieces of the layout do not divide the dim");
  await expect(entry).toBeInViewport();
  await explained.goto(explained.url().replace(/#.*/, "#python/key-error"));
  await expect(explained.locator("article:target h3")).toHaveText("python/*");
});
