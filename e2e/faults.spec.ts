import { expect, test } from "@playwright/test";
import { planPage } from "./plan-page.ts";

test("a compiler that does not load is said where the graph would be; the text stays", async ({
  page,
}) => {
  await page.route("**/worker-*.js", (route) => route.abort());
  const plan = planPage(page);
  await plan.open();
  await expect(page.getByTestId("stale")).toContainText("could not be worked out");
  await expect(page.getByTestId("program")).toContainText("mesh = Mesh(dp=2, mp=2)");
  await plan.selectProgram();
  await plan.paste("x = 1\n");
  await page.unroute("**/worker-*.js");
  await page.reload();
  await plan.settle();
  expect(await plan.program()).toBe("x = 1\n");
});

test("an empty text offers what to write", async ({ page }) => {
  const plan = planPage(page);
  await plan.open("/#src=");
  await expect(page.getByText("No operators yet")).toBeVisible();
});
