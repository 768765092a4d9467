import { expect, test } from "@playwright/test";
import { boxOf, isWhole, planPage } from "./plan-page.ts";

test("a graph that is in sight has no overview over it and stands near the middle", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open();
  await isWhole(page);
  const canvas = await boxOf(page.getByRole("region", { name: "Graph" }));
  const first = await boxOf(page.getByTestId("tensor-x"));
  const last = await boxOf(page.getByTestId("operator-y"));
  await expect(page.getByRole("img", { name: "Overview" })).toBeHidden();
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

test("a link that is followed while the examples are open shows its plan", async ({ page }) => {
  const plan = planPage(page);
  await plan.open();
  await page.getByRole("button", { name: "Examples" }).click();
  await expect(page.getByTestId("gallery")).toBeVisible();
  await plan.open("/#example=carry");
  await expect(page.getByTestId("gallery")).toHaveCount(0);
  await expect(page.getByTestId("operator-h2")).toBeVisible();
});

test("a link is followed though something else changes before its event comes", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open();
  await page.getByTestId("device-0").evaluate((device) => {
    location.hash = "#example=carry";
    device.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    device.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  });
  await expect(page.getByTestId("operator-h2")).toBeVisible();
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

  test("on a tablet the hint says what to tap", async ({ page }) => {
    await page.setViewportSize({ width: 834, height: 1112 });
    const plan = planPage(page);
    await plan.open();
    await expect(page.getByRole("note")).toContainText("Tap w2.k and choose mp");
  });
});
