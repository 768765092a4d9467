import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { middleOf, planPage } from "./plan-page.ts";

/** Ways to put `mp` on dim 0 of `w2`. */
const ways: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "dragging the chip onto the dim": async (page) => {
    await dragOnto(page, "mesh-axis-mp", "dim-w2-0");
  },
  "pressing the chip, then the dim": async (page) => {
    await page.getByTestId("mesh-axis-mp").click();
    await page.getByTestId("dim-w2-0").click();
  },
  "pressing the axis' digit on the dim": async (page) => {
    await page.getByTestId("dim-w2-0").focus();
    await page.keyboard.press("2");
  },
  "choosing it from the dim's menu": async (page) => {
    await page.getByTestId("dim-w2-0").click({ modifiers: ["Alt"] });
    await page
      .getByRole("dialog", { name: "Split w2" })
      .getByRole("button", { name: "mp" })
      .click();
  },
};

async function dragOnto(page: Page, chip: string, target: string): Promise<void> {
  await page.getByTestId(chip).hover();
  await page.mouse.down();
  const goal = await middleOf(page.getByTestId(target));
  await page.mouse.move(goal.x, goal.y, { steps: 8 });
  await page.mouse.up();
}

test(
  "a dim is split",
  onOnePage({
    "every way of splitting a dim writes the same text, byte for byte": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const before = await plan.program();
      const texts: [string, string][] = [];
      for (const [name, act] of Object.entries(ways)) {
        await act(page);
        await expect(page.getByRole("button", { name: "Undo: Split w2" })).toBeEnabled();
        await plan.settle();
        texts.push([name, await plan.program()]);
        await page.getByRole("button", { name: /^Undo/ }).click();
        await plan.settle();
        expect(await plan.program()).toBe(before);
      }
      const first = texts[0]?.[1] ?? "";
      expect(first).not.toBe(before);
      expect(texts).toEqual(Object.keys(ways).map((name) => [name, first]));
    },

    "a chip dropped on a tensor of the canvas splits that dim": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByTestId("mesh-axis-mp").hover();
      await page.mouse.down();
      await page.mouse.move(700, 500, { steps: 4 });
      const zone = await middleOf(page.getByTestId("dim-y-1"));
      await page.mouse.move(zone.x, zone.y, { steps: 8 });
      await page.mouse.up();
      await expect(page.getByTestId("hud-delta")).toBeVisible();
      await plan.settle();
      expect((await plan.ranges("y"))[1]).toEqual([
        [0, 256],
        [512, 1024],
      ]);
    },

    "undo takes the gesture back to the byte, redo brings it again": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const before = await plan.program();
      await page.getByTestId("dim-w2-0").focus();
      await page.keyboard.press("2");
      await expect(page.getByTestId("hud-delta")).toBeVisible();
      await plan.settle();
      const after = await plan.program();
      await page.keyboard.press("Control+Z");
      await plan.settle();
      expect(await plan.program()).toBe(before);
      await page.getByRole("button", { name: /^Redo/ }).click();
      await plan.settle();
      expect(await plan.program()).toBe(after);
    },

    "a refused gesture says why and changes nothing": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const before = await plan.program();
      await page.getByTestId("tensor-h").click();
      await page.getByTestId("dim-h-1").focus();
      await page.keyboard.press("2");
      await expect(page.getByTestId("status")).toContainText("already splits");
      expect(await plan.program()).toBe(before);
    },
  }),
);
