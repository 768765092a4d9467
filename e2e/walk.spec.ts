import { expect, type JSHandle, type Locator, type Page, test } from "@playwright/test";
import { firstExample, onOnePage, perCase } from "./one-page.ts";
import { isWhole, planPage, watchNoise } from "./plan-page.ts";

const stack = "/#example=transformer-stack";

const slider = (page: Page) => page.getByRole("slider", { name: "Step" });

/** Goes to the first step, once the walk is computed. */
async function toFirst(page: Page): Promise<void> {
  await expect(slider(page)).not.toHaveAttribute("max", "0");
  await slider(page).fill("0");
  await expect(slider(page)).toHaveValue("0");
}

/** The step view's words about its position, from the first step to the last. */
async function walk(page: Page, forth: () => Promise<void>): Promise<readonly string[]> {
  const place = () => slider(page).getAttribute("aria-valuetext");
  const told: string[] = [];
  let last = await place();
  while (await page.getByTestId("step-next").isEnabled()) {
    await forth();
    await expect.poll(place).not.toBe(last);
    last = await place();
    told.push(last ?? "");
  }
  return told;
}

/** Records all names that a button has from now on, even those of a second. */
function namesOf(button: Locator): Promise<JSHandle<string[]>> {
  return button.evaluateHandle((element) => {
    const names: string[] = [];
    const note = () => names.push(element.getAttribute("aria-label") ?? "");
    new MutationObserver(note).observe(element, { attributeFilter: ["aria-label"] });
    return names;
  });
}

test(
  "a program is stepped through",
  onOnePage({
    "the steps lead through the whole program, operators and collectives": async ({ page }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(firstExample);
      await toFirst(page);
      await expect(page.locator(".player h2")).toHaveText("h");
      await expect(page.locator(".player")).toContainText("Each device makes its own part of h");
      const told = await walk(page, () => page.getByTestId("step-next").click());
      expect(told).toEqual([
        "before, step 2 of 3: all-gather mp of h",
        "what moves, step 2 of 3: all-gather mp of h",
        "after, step 2 of 3: all-gather mp of h",
        "step 3 of 3: y = project(h, w2)",
      ]);
      await expect(page.getByTestId("operator-y")).toHaveAttribute("aria-pressed", "true");
      expect(noise).toEqual([]);
    },

    ...perCase(
      ["loom-convolution", "loom-split-k", "loom-broadcast-add"],
      (name) => `${name} is stepped through to its end`,
      async ({ page }, name) => {
        const noise = watchNoise(page);
        await planPage(page).open(`/#example=${name}`);
        await toFirst(page);
        const told = await walk(page, () => page.getByTestId("step-next").click());
        expect(told.length).toBeGreaterThan(0);
        expect(new Set(told).size).toBe(told.length);
        expect(told.at(-1)).toMatch(/step (\d+) of \1/);
        expect(noise).toEqual([]);
      },
    ),

    "what every device holds meanwhile is listed, of a pinned one with its part": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const held = page.getByTestId("held-now");
      await held.locator("summary").click();
      await expect(held.locator("tr")).toHaveCount(5);
      await expect(held).toContainText("reads");
      await page.getByTestId("device-3").click();
      await expect(held).toContainText("on device 3");
      await expect(held).toContainText("b 256…511, f 2048…4095");
    },

    "a repeated block is stepped through once, with its count": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(stack);
      await toFirst(page);
      await expect(slider(page)).toHaveAttribute("aria-valuetext", /^step 1 of \d+: .*, 24 times$/);
      await expect(page.locator(".player")).toContainText("It runs 24 times");
      await expect(slider(page)).toHaveAttribute("max", /^\d{1,2}$/);
    },

    "what goes round a ring is shown hop by hop": async ({ page }) => {
      const plan = planPage(page);
      const text =
        "mesh = Mesh(mp=4)\nx = Tensor((8, 16))\ny = gelu(place(x, layout('mp', 'None')))\nz = softmax(place(y, layout('None', 'mp')), dim=0)\n";
      await plan.open(
        `/#src=${encodeURIComponent(`${text}w = place(z, layout("None", "None"))\n`)}`,
      );
      await expect(page.locator(".player h2")).toHaveText("all-to-all");
      await page.locator("body").press("]");
      await expect(page.locator(".player h2")).toHaveText("all-gather");
      await page.getByRole("group", { name: "Hops" }).getByText("Ring").click();
      await expect(page.locator(".player .caption")).toContainText("hop 1 of 3");
      await expect(page.locator(".player .rule")).toContainText("A gather removes a subscript");
    },

    "Space plays from still to still and stops; commas, dots and brackets step": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      // The keys belong to the step view, which comes after the first painting.
      await isWhole(page);
      await expect(slider(page)).toHaveAttribute("aria-valuetext", /^what moves/);
      const canvas = page.locator(".react-flow__pane");
      await canvas.click({ position: { x: 20, y: 400 } });
      await page.keyboard.press(",");
      await expect(slider(page)).toHaveAttribute("aria-valuetext", /^before/);
      await page.keyboard.press(",");
      await expect(slider(page)).toHaveAttribute("aria-valuetext", /^step 1 of 3/);
      await page.keyboard.press("]");
      await expect(slider(page)).toHaveAttribute("aria-valuetext", /^what moves/);
      await page.keyboard.press(".");
      await expect(slider(page)).toHaveAttribute("aria-valuetext", /^after/);
      const names = await namesOf(page.getByTestId("step-play"));
      await page.keyboard.press("Space");
      await expect(slider(page)).toHaveAttribute("aria-valuetext", /^step 3 of 3/);
      await expect.poll(() => names.jsonValue()).toEqual(["Pause", "Play"]);
      await expect(page.getByTestId("step-play")).toHaveAccessibleName("Play");
    },

    "without redistributions the program is stepped through all the same": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(
        `/#src=${encodeURIComponent("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\n")}`,
      );
      await expect(page.locator(".player")).toContainText("no device has to send anything");
      await page.getByTestId("step-next").click();
      await expect(slider(page)).toHaveAttribute("aria-valuetext", "step 1 of 1: y = relu(x)");
    },
  }),
);

test.describe("on a tablet", () => {
  test.use({ viewport: { width: 834, height: 1112 }, hasTouch: true });

  test("the bar steps through the program by touch, and the sheet below shows each step", async ({
    page,
  }) => {
    const plan = planPage(page);
    await plan.open();
    await page.getByRole("tab", { name: "Steps" }).tap();
    await page.getByTestId("step-prev").tap();
    await page.getByTestId("step-prev").tap();
    const sheet = page.getByRole("region", { name: "Steps", exact: true });
    await expect(sheet).toContainText("Each device makes its own part of h");
    await sheet.getByTestId("held-now").locator("summary").tap();
    await expect(sheet.getByTestId("held-now").locator("tr")).toHaveCount(4);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the walk begins below the list and stays in sight from row to row", async ({ page }) => {
    const plan = planPage(page);
    await plan.open();
    await page.getByRole("button", { name: "Step through the program" }).tap();
    const steps = page.getByRole("region", { name: "Steps", exact: true });
    await expect(steps).toContainText("Each device makes its own part of h");
    await expect(steps.getByTestId("step-next")).toBeInViewport();
    await steps.getByTestId("step-next").tap();
    await expect(steps).toContainText("all-gather over mp");
    for (let row = 0; row < 3; row += 1) {
      // The content of an opened row moves the button.
      await plan.settle();
      await steps.getByTestId("step-next").tap();
    }
    await expect(steps).toContainText("Each device makes its own part of y");
    await expect(steps.getByTestId("step-next")).toBeDisabled();
  });
});
