import { expect, type Page, test } from "@playwright/test";
import { planPage, watchNoise } from "./plan-page.ts";

const talk = (page: Page) => page.getByTestId("present");
const head = (page: Page) => page.locator(".present-head");
const forth = (page: Page) => page.getByRole("button", { name: "Forth" });

test("a talk goes over steps and hops by keys, clicks and stations, and one link carries them", async ({
  page,
}) => {
  const noise = watchNoise(page);
  const plan = planPage(page);
  await plan.open("/#example=two-matmuls&m=present");
  await expect(talk(page)).toHaveAttribute("data-slide", "plan");
  // The steps are computed after the first picture; a key works as soon as the button does.
  await expect(forth(page)).toBeEnabled();
  for (const key of ["ArrowRight", "PageDown"]) await page.keyboard.press(key);
  await expect(head(page)).toContainText("all-gather mp of h");
  await expect(head(page)).toContainText("Step 2 of 3");
  await page.keyboard.press("PageUp");
  await expect(head(page)).toContainText("h = project(x, w1)");

  // All words are readable from the last row, and none is cut off.
  const smallest = await page
    .locator(".present-head, .present-words, .present-bar .btn.num")
    .evaluateAll((parts) =>
      Math.min(...parts.map((part) => Number.parseFloat(getComputedStyle(part).fontSize))),
    );
  expect(smallest).toBeGreaterThanOrEqual(24);
  const drawn = page.locator(".present-drawing .frame-device").first();
  expect((await drawn.boundingBox())?.height).toBeGreaterThanOrEqual(24);

  // On a blank screen a key first shows the slide, and moves nothing.
  await page.keyboard.press("b");
  await expect(page.locator(".present-blank")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(".present-blank")).toHaveCount(0);
  await expect(head(page)).toContainText("Step 1 of 3");

  // The right half of the stage goes on, the left half back.
  const stage = await page.locator(".present-stage").boundingBox();
  if (stage === null) throw new Error("there is no stage");
  const low = stage.y + stage.height - 12;
  await page.mouse.click(stage.x + stage.width - 40, low);
  await expect(head(page)).toContainText("Step 2 of 3");
  await page.mouse.click(stage.x + 30, low);
  await expect(head(page)).toContainText("Step 1 of 3");
  await page.getByTestId("device-2").hover();
  await expect(page.locator(".present-laser.on")).toHaveCount(1);

  // Two stations, carried by the plan's link and reached by their numbers.
  await page.getByRole("button", { name: "Keep this view as a station" }).click();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: "Keep this view as a station" }).click();
  await page.keyboard.press("Escape");
  await expect(talk(page)).toHaveCount(0);
  await page.getByTestId("share-link").click();
  const address = await page.getByTestId("share-present").inputValue();
  expect(address.match(/&s=/g)).toHaveLength(2);
  await page.goto("about:blank");
  await plan.open(address);
  await expect(head(page)).toContainText("h = project(x, w1)");
  await page.keyboard.press("ArrowDown");
  await expect(head(page)).toContainText("all-gather mp of h");
  await page.keyboard.press("1");
  await expect(head(page)).toContainText("h = project(x, w1)");
  expect(noise).toEqual([]);
});

test("on a ring one press is one hop, forth and back", async ({ page }) => {
  await planPage(page).open("/#example=mindspore-net&m=present");
  const stops = [
    "y = self.matmul1(x, w)Step 1 of 3",
    ...[1, 2, 3].map((hop) => `all-gather d0 of yStep 2 of 3, hop ${hop} of 3`),
    "z = self.matmul2(y, v)Step 3 of 3",
  ];
  await expect(forth(page)).toBeEnabled();
  for (const stop of stops) {
    await page.keyboard.press("ArrowRight");
    await expect(head(page)).toHaveText(stop);
  }
  await expect(forth(page)).toBeDisabled();
  for (const stop of stops.toReversed().slice(1)) {
    await page.keyboard.press("ArrowLeft");
    await expect(head(page)).toHaveText(stop);
  }
});

test.describe("by touch", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a swipe goes on and back; a lesson's steps are stations, and what it says are notes", async ({
    page,
  }) => {
    await planPage(page).open("/#lesson=one-matmul&m=present");
    await expect(forth(page)).toBeEnabled();
    const swipe = async (from: number, to: number) => {
      const client = await page.context().newCDPSession(page);
      const at = (x: number) => ({ touchPoints: [{ x, y: 500 }] });
      await client.send("Input.dispatchTouchEvent", { type: "touchStart", ...at(from) });
      for (const x of [(from + to) / 2, to]) {
        await client.send("Input.dispatchTouchEvent", { type: "touchMove", ...at(x) });
      }
      await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    await swipe(320, 100);
    await expect(talk(page)).toHaveAttribute("data-slide", "step");
    await swipe(100, 320);
    await expect(talk(page)).toHaveAttribute("data-slide", "plan");
    // A tap right after a swipe only stops the scrolling that the swipe began: it is no click.
    const notes = page.locator(".present-notes");
    await expect(async () => {
      await page.getByRole("button", { name: "Speaker's notes (N)" }).tap();
      await expect(notes).not.toBeEmpty({ timeout: 1_000 });
    }).toPass();
    await page.getByRole("button", { name: "Step of the lesson 2" }).tap();
    await expect(notes).toContainText("choose the axis");
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    await page.getByTestId("present-leave").tap();
    await expect(page.getByTestId("lesson")).toBeVisible();
  });
});
