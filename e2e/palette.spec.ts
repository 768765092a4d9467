import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { type PlanPage, planPage, watchNoise } from "./plan-page.ts";

/** Runs the first command that the palette finds for some words. */
async function find({ page, settle }: PlanPage, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByTestId("palette-query").fill(words);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("palette-query")).toHaveCount(0);
  await settle();
}

test(
  "the palette does what is typed",
  onOnePage({
    "a few letters split a dim, and the command stands first the next time": async ({ page }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Find or do" }).fill("split w2.k mp");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.getByTestId("hud-delta")).toContainText("Split w2.k over mp");
      await plan.settle();
      expect((await plan.ranges("w2"))[1]?.[0]).toEqual([2048, 4096]);
      await page.keyboard.press("Control+Shift+P");
      await expect(page.getByRole("option").first()).toContainText("Split w2.k over mp");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      expect(noise).toEqual([]);
    },

    "what cannot be done says why and is not done": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByTestId("palette-open").click();
      const query = page.getByTestId("palette-query");
      await query.fill("redo");
      const redo = page.getByRole("option").first();
      await expect(redo).toHaveAttribute("aria-disabled", "true");
      await expect(redo).toContainText("nothing has been undone");
      await query.press("Enter");
      await expect(query).toBeVisible();
    },

    "a tensor, an operator and an example are found and gone to": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const go = (words: string) => find(plan, words);
      await go("w1 tensor");
      await expect(page.getByRole("complementary", { name: "Mesh and tensor" })).toContainText(
        "w1",
      );
      await go("FSDP gathered");
      await expect(page.getByTestId("operator-a")).toBeVisible();
    },

    "drawings, machines, comparison and export are found by what people call them": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const go = (words: string) => find(plan, words);
      await go("by rows");
      await expect(page.locator(".board")).toBeVisible();
      const zoom = page.getByRole("toolbar", { name: "Zoom" });
      await expect(zoom).toHaveText("100 %");
      await zoom.getByRole("button", { name: "Zoom out" }).click();
      await expect(zoom).not.toHaveText("100 %");
      await go("fit the board");
      await expect(zoom).toHaveText("100 %");
      await go("heat memory");
      await expect(page.getByLabel("Bars of the cards")).toHaveValue("memory");
      await go("as a graph");
      await expect(page.getByTestId("operator-h")).toBeVisible();
      await go("hardware 8xH200");
      await expect(page.getByTestId("program")).toContainText('hardware="8xH200"');
      await go("compare");
      await expect(page.getByTestId("compare")).toHaveAttribute("aria-pressed", "true");
      await go("stop comparing");
      await expect(page.getByTestId("compare")).toHaveAttribute("aria-pressed", "false");
      await go("download");
      await expect(page.getByRole("button", { name: /^Save/u }).first()).toBeVisible();
    },

    "the editor has the caret again when what was opened over it is closed": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#src=x%20%3D%20Tensor((8%2C%204))");
      await page.getByTestId("program").locator(".view-line").first().click();
      for (const keys of ["Control+k", "Control+o"]) {
        await page.keyboard.press(keys);
        await expect(page.getByRole("dialog")).toHaveCount(1);
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toHaveCount(0);
        await page.keyboard.press("Control+End");
        await page.keyboard.type("0");
        expect(await plan.program()).toMatch(/^x = Tensor\(\(8, 4\)\)0+$/u);
      }
    },

    "the settings write layouts in another notation, and stay": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByRole("button", { name: "Settings" }).click();
      await page.getByText("JAX", { exact: true }).click();
      await page.keyboard.press("Escape");
      await expect(page.getByTestId("tensor-h")).toContainText("P('dp', 'mp')");
      await page.reload();
      await plan.settle();
      await expect(page.getByTestId("tensor-h")).toContainText("P('dp', 'mp')");
    },

    "keys of one letter act on the canvas until they are switched off": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByTestId("operator-h").focus();
      await page.keyboard.press("?");
      const sheet = page.getByRole("dialog", { name: "Shortcuts" });
      await expect(sheet).toBeVisible();
      await sheet.getByRole("button", { name: "Settings" }).click();
      await page.getByText("Off", { exact: true }).click();
      await page.keyboard.press("Escape");
      await page.getByTestId("operator-h").focus();
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    },
  }),
);

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the palette opens from the menu and a tap does it", async ({ page }) => {
    const plan = planPage(page);
    await plan.open();
    await page.getByRole("button", { name: "More" }).tap();
    await page.getByRole("button", { name: "Find or do" }).tap();
    // A list of the plan has no cards.
    await page.getByTestId("palette-query").fill("bars of the cards");
    await expect(page.getByRole("option")).toHaveCount(0);
    await page.getByTestId("palette-query").fill("split w2.k mp");
    await page.getByRole("option").first().tap();
    await plan.settle();
    await expect.poll(async () => (await plan.ranges("w2"))[1]?.[0]).toEqual([2048, 4096]);
  });
});

test("what is typed while the palette is still on its way stands in it", async ({ page }) => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/OpenSheet-.*\.js$/u, async (route) => {
    await gate;
    await route.continue();
  });
  const plan = planPage(page);
  await plan.open();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("split w2.k mpx");
  await page.keyboard.press("Backspace");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  release();
  // Some of the letters are typed before the palette is there, and some after.
  const further = " and whatever else is typed while it comes, letter by letter, as people type";
  await page.keyboard.type(further, { delay: 5 });
  await expect(page.getByTestId("palette-query")).toHaveValue(`split w2.k mp${further}`);
  await expect(page.getByTestId("palette-query")).toBeFocused();
  await expect(page.getByText("Nothing is edited yet")).toBeVisible();
});
