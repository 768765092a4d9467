import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { planPage, watchNoise } from "./plan-page.ts";

const gallery = (page: Page) => page.getByRole("dialog", { name: "Examples" });
const cards = (page: Page) => gallery(page).getByRole("link");
const tensor = (page: Page, name: string) => page.getByTestId(`table-${name}`);

/** Waits until the card of an example has its drawing. */
async function drawn(page: Page, name: string): Promise<void> {
  const card = page.getByTestId(`example-${name}`);
  await expect(card.locator("svg.glyph").first()).toBeVisible();
  await expect(card).toHaveAttribute("aria-busy", "false");
}

test(
  "the gallery",
  onOnePage({
    "a card shows what an example does, and opens it without losing the draft": async ({
      page,
    }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste("mesh = Mesh(dp=2)\nmine = Tensor((4, 4))\n");
      await page.getByRole("button", { name: "Examples", exact: true }).click();
      await expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(20);
      await expect(gallery(page).getByRole("heading", { level: 3 })).toHaveText([
        "Lessons",
        "Challenges",
        "Models",
        "Documents",
        "LoomGraphs",
        "Parallelisms",
        "Layouts",
        "Redistribution",
        "First steps",
      ]);
      await page.getByTestId("example-two-matmuls").scrollIntoViewIfNeeded();
      await drawn(page, "two-matmuls");
      const card = gallery(page).getByRole("link", { name: "Two matmuls on a 2 × 2 mesh" });
      await expect(card).toHaveAccessibleDescription(/4 devices.*all-gather.*1\.05 MB per device/);
      await expect(gallery(page)).not.toContainText("sends nothing is faster");
      await expect(page.getByTestId("example-expert-parallel")).toContainText(
        /The planner takes \d+ % less time/,
      );
      await card.click();
      await expect(gallery(page)).toHaveCount(0);
      await plan.settle();
      await expect(tensor(page, "h")).toHaveCount(1);
      await page.getByRole("button", { name: /^Undo: Open Two matmuls/ }).click();
      await plan.settle();
      await expect(tensor(page, "mine")).toHaveCount(1);
      expect(noise).toEqual([]);
    },

    "the card of a model says what opening it says": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.keyboard.press("Control+o");
      const card = page.getByTestId("example-llama3-8b");
      await expect(card).toContainText("8.03 billion parameters, 8 devices");
      await expect(card).toContainText("Planner's");
      const hand = await card.getByText("By hand").locator("..").textContent();
      const [, seconds = "", memory = ""] =
        /^By hand\s+(\S+ \S+)\s.*, (.+) of 80\.0 GB$/s.exec(hand ?? "") ?? [];
      await card.getByRole("link").click();
      await plan.settle();
      await expect(page.getByTestId("hud-time")).toContainText(seconds);
      await expect(page.getByTestId("hud-memory")).toContainText(memory);
      await expect(page.getByTestId("problems").locator("[data-severity]")).toHaveCount(0);
    },

    "the planner's plan of a model is opened from its card": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.keyboard.press("Control+o");
      const card = page.getByTestId("example-gpt2");
      const planned = await card.getByText("Planner's").locator("..").textContent();
      await card.getByRole("button", { name: "Plan it" }).click();
      await expect(gallery(page)).toHaveCount(0);
      const place = page.getByRole("region", { name: "Planner" });
      await expect(place.getByTestId("plan-gap")).toBeVisible({ timeout: 30_000 });
      const [, seconds = "none"] = /Plan it\s*(\S+ \S+)/.exec(planned ?? "") ?? [];
      await expect(place.getByRole("button", { name: `${seconds} planned` })).toBeVisible();
    },

    "by keyboard alone: open, search, choose, and back where the focus was": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const opener = page.getByRole("button", { name: "Examples", exact: true });
      await opener.focus();
      await page.keyboard.press("Enter");
      const field = page.getByRole("searchbox", { name: "Search the examples" });
      await expect(field).toBeFocused();
      await page.keyboard.type("reduce-scatter higher");
      await expect(gallery(page).getByRole("status")).toHaveText("1 example");
      // The search field may handle the first Escape.
      await expect(async () => {
        await page.keyboard.press("Escape");
        await expect(gallery(page)).toHaveCount(0, { timeout: 500 });
      }).toPass();
      await expect(opener).toBeFocused();
      await page.keyboard.press("Control+o");
      await expect(field).toBeFocused();
      await page.keyboard.type("attention-heads");
      await expect(cards(page)).toHaveCount(1);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await expect(cards(page).first()).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(gallery(page)).toHaveCount(0);
      await plan.settle();
      await expect(tensor(page, "wo")).toHaveCount(1);
    },

    "the forbidden product says its error on the card and in the problems": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.keyboard.press("Control+o");
      await page.getByTestId("example-forbidden-axis").scrollIntoViewIfNeeded();
      await drawn(page, "forbidden-axis");
      const card = page.getByTestId("example-forbidden-axis").getByRole("link");
      await expect(card).toHaveAccessibleDescription(/"x" already splits "i" of "A"/);
      await card.click();
      await plan.settle();
      await expect(page.getByTestId("problems")).toContainText('"x" already splits "i" of "A"');
    },

    "cards out of sight are drawn when they come into sight": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.keyboard.press("Control+o");
      await expect(page.getByTestId("example-llama3-8b")).toBeVisible();
      const below = page.getByTestId("example-vocabulary-loss");
      await expect(below.locator("svg.glyph")).toHaveCount(0);
      await below.scrollIntoViewIfNeeded();
      await drawn(page, "vocabulary-loss");
    },

    "every example opens by its address": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=redistribution-two-nodes");
      await expect(tensor(page, "replicated")).toHaveCount(1);
      await page.keyboard.press("Control+o");
      await expect(page.getByTestId("example-carry").getByRole("link")).toHaveAttribute(
        "href",
        "#example=carry",
      );
    },
  }),
);

test.describe("by touch", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a phone opens the gallery from the list of plans", async ({ page }) => {
    const plan = planPage(page);
    await plan.open();
    await page.getByRole("button", { name: "Two matmuls on a 2 × 2 mesh" }).tap();
    await page.getByRole("button", { name: /^All \d+ examples/ }).tap();
    const heightOf = (name: string) =>
      page
        .getByTestId("example-gpt2")
        .getByText(name)
        .evaluate((line) => line.parentElement?.clientHeight);
    expect(await heightOf("Planner's")).toBe(await heightOf("By hand"));
    await page.getByTestId("example-mindspore-net").scrollIntoViewIfNeeded();
    await drawn(page, "mindspore-net");
    await expect(page.getByRole("searchbox")).not.toBeFocused();
    const wide = await gallery(page).evaluate((page) => page.scrollWidth > page.clientWidth);
    expect(wide).toBe(false);
    await page.getByTestId("example-three-cuts").getByRole("link").tap();
    await plan.settle();
    await expect(tensor(page, "summed")).toHaveCount(1);
  });
});
