import { expect, test } from "@playwright/test";
import { planPage } from "./plan-page.ts";

test("a graph that is in sight has no overview over it and stands near the middle", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open();
  await expect(page.getByRole("img", { name: "Overview" })).toBeHidden();
  const canvas = await page.getByRole("region", { name: "Graph" }).boundingBox();
  const first = await page.getByTestId("tensor-x").boundingBox();
  const last = await page.getByTestId("operator-y").boundingBox();
  if (canvas === null || first === null || last === null) throw new Error("no graph");
  const above = first.y - canvas.y;
  const below = canvas.y + canvas.height - (last.y + last.height);
  expect(above).toBeLessThan(below);
  expect(above).toBeGreaterThan(0.6 * below);
});

test("a graph of which a part is in sight has an overview", async ({ page }) => {
  const plan = planPage(page);
  await plan.open();
  for (let times = 0; times < 4; times += 1) {
    await page.getByRole("button", { name: "Zoom in" }).click();
  }
  await expect(page.getByRole("img", { name: "Overview" })).toBeVisible();
});

test.describe("with fingers alone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("no key is named for the problems", async ({ page }) => {
    const plan = planPage(page);
    await plan.open(`/#src=${encodeURIComponent("x = Tensor((8, 4))\ny = nothing(x)\n")}`);
    await page.getByRole("tab", { name: "Program" }).tap();
    const problems = page.getByTestId("problems");
    await expect(problems).toContainText("2 warnings");
    await expect(problems.getByText("F8")).toBeHidden();
  });
});
