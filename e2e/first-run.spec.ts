import { expect, type Page, test } from "@playwright/test";
import { planPage, watchNoise } from "./plan-page.ts";

test("the first visit shows a running example, without a dialog, a foreign request or an error", async ({
  page,
}) => {
  const noise = watchNoise(page);
  const plan = planPage(page);
  await plan.open();
  await expect(page.getByTestId("operator-h")).toBeVisible();
  await expect(page.getByTestId("tensor-w2")).toBeVisible();
  await expect(page.getByTestId("redist-0")).toContainText("all-gather");
  await expect(page.getByTestId("hud-time")).toContainText("model");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator(".monaco-editor .view-line").first()).toBeVisible();

  await test.step("the hinted gesture is legal and lowers both numbers", async () => {
    const before = { comm: await plan.number("hud-comm"), memory: await plan.number("hud-memory") };
    await expect(page.getByRole("note")).toContainText("w2");
    await page.getByTestId("dim-w2-0").focus();
    await page.keyboard.press("2");
    await plan.settle();
    await expect(page.getByTestId("hud-delta")).toContainText("−");
    expect(await plan.number("hud-comm")).toBeLessThan(before.comm);
    expect(await plan.number("hud-memory")).toBeLessThan(before.memory);
  });
  expect(noise).toEqual([]);
});

test("a draft is still there after a reload", async ({ page }) => {
  const plan = planPage(page);
  await plan.open();
  await plan.selectProgram();
  await plan.paste("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\n");
  await page.reload();
  await plan.settle();
  await expect(page.getByTestId("operator-y")).toBeVisible();
  expect(await plan.program()).toBe("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\n");
});

const welcome = (page: Page) => page.getByTestId("welcome");
const hint = (page: Page) => page.getByRole("note");

/**
 * The first page of a new reader at a window size: its words, and that nothing of it is cut off.
 */
async function meet(page: Page): Promise<void> {
  await expect(welcome(page)).toContainText("shows how a model is split over devices");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // On a phone the starts are moved sideways: two are seen whole, and a part of the third.
  const start = (name: string) => welcome(page).getByRole("button", { name });
  const isPhone = (page.viewportSize()?.width ?? 0) < 600;
  await expect(start("Paste your model")).toBeInViewport({ ratio: 1 });
  await expect(start("A Llama on 8 devices")).toBeInViewport({ ratio: isPhone ? 0.3 : 1 });
  const isWide = await page.evaluate(() => document.body.scrollWidth > document.body.clientWidth);
  expect(isWide).toBe(false);
}

for (const [width, height] of [
  [1440, 900],
  [834, 1112],
  [390, 844],
] as const) {
  test.describe(`a first visit at ${width}`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 1024, isMobile: width < 600 });

    test("one sentence says what this is, and each start opens what it asks", async ({ page }) => {
      const plan = planPage(page);
      await plan.open();
      await meet(page);
      const press = async (name: string) => {
        const button = welcome(page).getByRole("button", { name });
        await (width < 1024 ? button.tap() : button.click());
        await plan.settle();
      };
      await press("Why is there an all-gather?");
      await expect(page.getByText("it lies as [b@dp, f@mp]").first()).toBeVisible();
      await expect(hint(page)).toContainText("is sent around");
      await press("What does rank 5 hold?");
      await expect(page.getByTestId("table-u")).toHaveCount(1);
      await expect(hint(page)).toContainText("The pieces of device 5 are marked");
      await press("A Llama on 8 devices");
      await expect(page).toHaveTitle(/Llama 3 8B/);
      await expect(hint(page)).toContainText("what takes it");
      await press("Paste your model");
      await expect(page.getByTestId("program").first()).toBeVisible();
      await expect(welcome(page)).toHaveCount(0);
      await page.goto("/");
      await plan.settle();
      await page.reload();
      await plan.settle();
      await expect(welcome(page)).toHaveCount(0);
    });
  });
}

test("hints lead on by what is done, and stay away once they were dismissed", async ({ page }) => {
  const plan = planPage(page);
  await plan.open();
  await expect(hint(page)).toContainText("w2");
  await page.getByTestId("dim-w2-0").focus();
  await page.keyboard.press("2");
  await plan.settle();
  await expect(hint(page)).toContainText("Click its mark");
  await page.getByTestId("redist-0").click();
  await expect(hint(page)).toContainText("who holds which piece");
  await page.getByTestId("step-next").click();
  await expect(hint(page)).toContainText("Click Plan");
  await page.getByRole("button", { name: "Dismiss the hints" }).click();
  await expect(hint(page)).toHaveCount(0);
  await plan.openAnew("/#example=two-axes-one-dim");
  await expect(page.getByTestId("operator-u")).toBeVisible();
  await expect(hint(page)).toHaveCount(0);
});

test.describe("a word says what it means", () => {
  const tip = (page: Page) => page.getByRole("tooltip").filter({ visible: true });

  test("under the pointer, and in focus until Escape", async ({ page }) => {
    const plan = planPage(page);
    await plan.open();
    const word = page.getByRole("button", { name: "Mesh", exact: true });
    await word.hover();
    await expect(tip(page)).toContainText("arranged along named axes");
    await page.mouse.move(0, 0);
    await expect(tip(page)).toHaveCount(0);
    await word.focus();
    await expect(tip(page)).toBeInViewport({ ratio: 1 });
    await expect(word).toHaveAccessibleDescription(/arranged along named axes/);
    await page.keyboard.press("Escape");
    await expect(tip(page)).toHaveCount(0);
  });

  test.describe("by touch", () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

    test("at a tap, whole on the page", async ({ page }) => {
      const plan = planPage(page);
      await plan.open();
      await page.getByRole("tab", { name: "Mesh" }).tap();
      await page.getByRole("button", { name: "Mesh", exact: true }).tap();
      await expect(tip(page)).toBeInViewport({ ratio: 1 });
    });
  });
});
