import { expect, type Page, test } from "@playwright/test";
import { planPage } from "./plan-page.ts";

/**
 * The x coordinates of the moving pieces from left to right, in pixels from the edge of their
 * picture.
 */
async function piecesAt(page: Page): Promise<readonly number[]> {
  const places = await page
    .locator(".frame-pieces > g")
    .evaluateAll((pieces) =>
      pieces.map((piece) =>
        Number(/translate\(([\d.]+)/.exec(piece.getAttribute("transform") ?? "")?.[1]),
      ),
    );
  return places.toSorted((a, b) => a - b);
}

const slider = (page: Page) =>
  page.getByRole("slider", { name: "How far the pieces have travelled" });

/** From the still before a collective to the one in which its pieces move. */
async function comeToWhatMoves(page: Page): Promise<void> {
  await page.getByTestId("step-prev").click();
  await expect(page.locator(".frame-pieces")).toHaveCount(0);
  await page.getByTestId("step-next").click();
}

test("pieces travel from device to device when a press comes to them, and by hand along their ways", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open("/#example=two-matmuls");
  await expect(page.locator(".frame-pieces > g").first()).toBeVisible();
  const still = await piecesAt(page);
  await comeToWhatMoves(page);
  await expect(slider(page)).toHaveValue("100");
  const arrived = await piecesAt(page);
  expect(Math.min(...arrived)).toBeGreaterThan(Math.max(...still));
  await slider(page).focus();
  await page.keyboard.press("Home");
  await expect(slider(page)).toHaveAttribute("aria-valuetext", "0 % of the way");
  const left = await piecesAt(page);
  expect(Math.max(...left)).toBeLessThan(Math.min(...still));
  await page.keyboard.press("ArrowRight");
  expect(Math.min(...(await piecesAt(page)))).toBeGreaterThan(Math.min(...left));
  await test.step("an edit moves nothing", async () => {
    const place = await slider(page).inputValue();
    const text = await plan.program();
    await plan.selectProgram();
    await plan.paste(text.replace("512", "256"));
    await plan.settle();
    await expect(page.locator(".frame-room").first()).toContainText("524 kB each");
    await page.waitForTimeout(700);
    await expect(slider(page)).toHaveValue(place);
  });
});

test("with reduced motion pieces stand on their way until a hand moves them", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const plan = planPage(page);
  await plan.open("/#example=two-matmuls");
  await comeToWhatMoves(page);
  await expect(slider(page)).toHaveValue("25");
  await slider(page).focus();
  await page.keyboard.press("End");
  await expect(slider(page)).toHaveValue("100");
});

test("a higher panel draws the step larger, and its reasons and cheaper ways stand beside it", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open("/#example=two-matmuls");
  const drawing = page.locator(".player .frame-drawing");
  const before = await drawing.boundingBox();
  const edge = page.getByRole("separator", { name: "Edge of Steps" });
  await edge.focus();
  for (let press = 0; press < 12; press += 1) await page.keyboard.press("ArrowUp");
  await expect
    .poll(async () => (await drawing.boundingBox())?.height)
    .toBeGreaterThan((before?.height ?? 0) * 1.5);
  await expect(page.getByTestId("alternatives")).toBeInViewport();
  await edge.dblclick();
  await expect.poll(async () => (await drawing.boundingBox())?.height).toBe(before?.height);
});

test.describe("by finger", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("a finger moves the pieces on a phone", async ({ page }) => {
    const plan = planPage(page);
    await plan.open("/#example=two-matmuls");
    await page.locator(".badge, [data-testid^=badge]").first().tap();
    const touched = slider(page);
    // Content that comes later moves it.
    await plan.settle();
    await touched.scrollIntoViewIfNeeded();
    const box = await touched.boundingBox();
    if (box === null) throw new Error("no slider");
    expect(box.height).toBeGreaterThanOrEqual(24);
    await page.touchscreen.tap(box.x + box.width - 4, box.y + box.height / 2);
    await expect(touched).toHaveValue(/9\d|100/);
  });
});
