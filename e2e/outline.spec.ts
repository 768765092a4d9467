import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { planPage, watchNoise } from "./plan-page.ts";

/** A GPT of 24 layers whose products are split as Megatron does. */
const model = `${readFileSync("e2e/texts/gpt-24.py", "utf8")}
place("blocks[*].mlp.fc.weight", layout("tp", "None"))
place("blocks[*].mlp.out.weight", layout("None", "tp"))
`;
const address = `/#src=${encodeURIComponent(model)}`;

test(
  "the outline of a net by rows",
  onOnePage({
    "keys walk the modules of the text, and the board opens what they open": async ({ page }) => {
      test.slow();
      // The first press closes the editor while it still waits for an answer.
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(address);
      await page.getByRole("tab", { name: "Outline" }).click();
      const tree = page.getByRole("tree", { name: "Outline" });
      const blocks = tree.getByTestId("line-module-blocks[*]");
      await expect(blocks).toContainText("×24");
      await tree.locator("[tabindex='0']").focus();
      await page.keyboard.press("End");
      await expect(page.locator(":focus")).toHaveAttribute("aria-level", "1");
      await page.keyboard.type("bl");
      await expect(blocks).toBeFocused();
      if ((await blocks.getAttribute("aria-expanded")) === "true") {
        await page.keyboard.press("ArrowLeft");
      }
      await expect(page.getByTestId("module-blocks[*]")).toBeVisible();
      await page.keyboard.press("ArrowRight");
      await expect(blocks).toHaveAttribute("aria-expanded", "true");
      await expect(page.getByTestId("frame-blocks[*]")).toBeVisible();
      await expect(blocks).toBeFocused();
      await page.keyboard.press("Shift+ArrowRight");
      await expect(blocks).toContainText("number 1 shown");
      await expect(page.getByTestId("frame-blocks[*]")).toContainText("number 1 shown");
      await page.keyboard.press("ArrowRight");
      await expect(page.locator(":focus")).toContainText("ln1");
      await page.keyboard.press("Enter");
      await expect(page.locator(".board .bcard.operator.sel")).toHaveCount(1);
      await page.keyboard.press("ArrowLeft");
      await expect(blocks).toBeFocused();
      expect(noise).toEqual([]);
    },

    "what is picked elsewhere opens its branch and is marked; views are counted and shown": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(address);
      await page.getByRole("tab", { name: "Outline" }).click();
      const tree = page.getByRole("tree", { name: "Outline" });
      await page.keyboard.press("Control+K");
      await page.getByTestId("palette-query").fill("blocks[7].gelu_1 operator");
      await page.keyboard.press("Enter");
      await plan.settle();
      await expect(tree.getByTestId("line-module-blocks[*]")).toContainText("number 7 shown");
      const marked = tree.locator("[aria-selected=true]");
      await expect(marked).toHaveCount(1);
      await expect(marked).toBeInViewport();
      await page.keyboard.press("Control+K");
      await page.getByTestId("palette-query").fill("blocks[7].mlp.fc.weight");
      await page.keyboard.press("Enter");
      await plan.settle();
      await expect(marked).toContainText("mlp.fc.weight");
      const before = await tree.getByRole("treeitem").count();
      const panel = page.getByRole("region", { name: "Program" });
      await panel.getByRole("button", { name: /views hidden/u }).click();
      await expect.poll(() => tree.getByRole("treeitem").count()).toBeGreaterThan(before);
      await panel.getByRole("button", { name: "Hide views" }).click();
    },
  }),
);

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a net of 24 layers is a short list; a tap opens a module, shows a layer, folds it", async ({
    page,
  }) => {
    await planPage(page).open(address);
    const rows = page.locator(".list .row1, .list .rowb");
    const blocks = page.getByTestId("module-blocks[*]");
    await expect(blocks).toContainText("×24");
    const folded = await rows.count();
    expect(folded).toBeLessThanOrEqual(25);
    await blocks.tap();
    await expect(blocks).toHaveAttribute("aria-expanded", "true");
    expect(await rows.count()).toBeGreaterThan(folded);
    await page.getByRole("button", { name: "The next layer" }).tap();
    await expect(blocks).toContainText("number 1 shown");
    await expect(page.getByTestId("tensor-blocks[1].ln1.weight")).toBeVisible();
    const low = await page
      .locator(".list .row1, .list .row-run button")
      .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height < 44).length);
    expect(low).toBe(0);
    await blocks.tap();
    await expect(rows).toHaveCount(folded);
  });
});
