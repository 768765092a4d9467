import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { asGraph, boxOf, planPage, watchNoise } from "./plan-page.ts";

async function onCanvas(page: Page): Promise<void> {
  await page.locator(".react-flow__pane").click({ position: { x: 20, y: 400 } });
}

test.describe("between 1024 and 1279 pixels", () => {
  test.use({ viewport: { width: 1100, height: 800 } });

  test("the program is a drawer that a button opens and a press beside it closes", async ({
    page,
  }) => {
    const plan = planPage(page);
    await plan.open();
    await expect(page.getByTestId("program")).toHaveCount(0);
    await page.getByRole("button", { name: "Program", exact: true }).click();
    await expect(page.getByTestId("program")).toBeVisible();
    await page.getByRole("button", { name: "Close the program" }).click({
      position: { x: 900, y: 300 },
    });
    await expect(page.getByTestId("program")).toHaveCount(0);
  });
});

test(
  "keys act where they should",
  onOnePage({
    "letters typed into the text stay in the text": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("# vcg?");
      await plan.settle();
      await expect(page.getByRole("radio", { name: "Device view" })).not.toBeChecked();
      expect(await plan.program()).toContain("# vcg?");
    },

    "a folded block opens and folds by its key": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=transformer-stack");
      await asGraph(page);
      await expect(page.getByText("×24").first()).toBeVisible();
      await onCanvas(page);
      await page.keyboard.press("g");
      await expect(page.getByTestId("operator-layers[0].h")).toBeVisible();
      await page.getByTestId("operator-layers[0].h").focus();
      await page.keyboard.press("g");
      await expect(page.getByTestId("operator-layers[0].h")).toHaveCount(0);
    },

    "what is pointed at names the keys that do something there, and no others": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#example=fsdp");
      const axis = page.getByTestId("mesh-axis-dp");
      await expect(axis).toHaveAttribute("title", /↑ and ↓ resize, Delete removes/);
      await expect(axis).toHaveAttribute("aria-keyshortcuts", "ArrowUp ArrowDown Delete");
      await page.getByTestId("tensor-w1").click();
      await expect(page.getByTestId("dim-w1-0")).toHaveAttribute("title", /^Keys: 0 whole\. /);
      await expect(page.getByTestId("dim-w1-1")).toHaveAttribute("title", /^Keys: 1 dp\. /);
      await expect(page.getByTestId("chip-w1-0-dp")).toHaveAttribute("aria-keyshortcuts", "Delete");

      await page.getByTestId("tensor-w1.grad").click();
      const dim = page.getByTestId("dim-w1.grad-0");
      await expect(dim).toHaveAttribute("title", /^It comes with training/);
      await expect(page.locator("[data-testid^='chip-w1.grad']")).toHaveCount(0);
      await axis.click();
      await expect(page.locator(".zones")).not.toHaveCount(0);
      await expect(page.locator(".zones", { hasText: "w1.grad" })).toHaveCount(0);

      await plan.open("/#example=two-matmuls");
      await expect(page.getByTestId("mesh-axis-dp")).toHaveAttribute("title", /, Alt\+→ moves it,/);
      await expect(page.getByTestId("mesh-axis-mp")).toHaveAttribute("title", /, Alt\+← moves it,/);
    },

    "keys of one letter act after a press of a button, not in the editor, and can be switched off":
      async ({ page }) => {
        const noise = watchNoise(page);
        const plan = planPage(page);
        await plan.open(firstExample);
        const device = page.getByRole("radio", { name: "Device view" });
        await onCanvas(page);
        await page.keyboard.press("d");
        await expect(device).toBeChecked();
        await page.keyboard.press("d");
        await expect(device).not.toBeChecked();
        // The focused button is outside the canvas.
        await page.getByRole("button", { name: "Undo" }).first().focus();
        await page.keyboard.press("d");
        await expect(device).toBeChecked();
        await page.keyboard.press("d");
        await page.keyboard.press("?");
        await expect(page.getByRole("dialog", { name: "Shortcuts" })).toContainText(
          "Play the steps",
        );
        await page.keyboard.press("Escape");
        await page.keyboard.press("/");
        await page.keyboard.type("settings");
        await page.keyboard.press("Enter");
        const letters = page.getByRole("group", { name: "Keys of one letter" });
        await letters.getByText("Off").click();
        await page.keyboard.press("Escape");
        await onCanvas(page);
        await page.keyboard.press("d");
        await page.keyboard.press("v");
        await page.keyboard.press("c");
        await plan.settle();
        await expect(device).not.toBeChecked();
        await expect(page.getByTestId("hud-delta")).toHaveCount(0);
        expect(noise).toEqual([]);
      },

    "edges of panels move by keyboard and by mouse, stay at the next visit, and go back": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const width = async () => (await page.locator(".prog").boundingBox())?.width ?? 0;
      const edge = page.getByRole("separator", { name: "Edge of Program" });
      await edge.focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await expect.poll(width).toBe(432);
      await expect(edge).toHaveAttribute("aria-valuenow", "432");
      await page.reload();
      await plan.settle();
      await expect.poll(width).toBe(432);
      const box = await boxOf(edge);
      const at = { x: box.x + box.width / 2, y: box.y + 200 };
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x - 100, at.y, { steps: 4 });
      await page.mouse.up();
      await expect.poll(width).toBe(332);
      await edge.dblclick({ position: { x: 4, y: 100 } });
      await expect.poll(width).toBe(400);
      const steps = page.getByRole("separator", { name: "Edge of Steps" });
      const height = async () => (await page.locator(".player").boundingBox())?.height ?? 0;
      const before = await height();
      await steps.focus();
      await page.keyboard.press("ArrowUp");
      await expect.poll(height).toBe(before + 16);
      await page.keyboard.press("End");
      await expect.poll(height).toBeGreaterThan(400);
    },
  }),
);
