import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { boxOf, middleOf, planPage } from "./plan-page.ts";

/** Presses an element with the mouse and moves away from its middle, without releasing. */
async function pull(page: Page, testId: string, by: { x: number; y: number }): Promise<void> {
  const { x, y } = await middleOf(page.getByTestId(testId));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by.x, y + by.y, { steps: 6 });
}

const undo = (page: Page) => page.getByRole("button", { name: /^Undo/ });

test("an axis in hand is let go of by whatever is done next, and stays on the way to a dim", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open();
  const chip = page.getByTestId("mesh-axis-mp");
  const acts: readonly [string, () => Promise<void>][] = [
    ["undo", () => page.keyboard.press("Control+z")],
    ["a redistribution", () => page.locator("main [data-testid^=redist-]").first().click()],
    ["an operator", () => page.getByTestId("operator-h").click()],
    ["the device view", () => page.locator("label", { hasText: "Device view" }).click()],
    ["the outline", () => page.getByRole("tab", { name: "Outline" }).click()],
    ["the program", () => page.getByRole("tab", { name: "Program" }).click()],
    [
      "the empty canvas",
      () => page.locator(".react-flow__pane").click({ position: { x: 20, y: 420 } }),
    ],
    ["Escape", () => page.keyboard.press("Escape")],
  ];
  for (const [name, act] of acts) {
    await test.step(name, async () => {
      await chip.click();
      await expect(chip).toHaveAttribute("aria-pressed", "true");
      await act();
      await expect(chip).toHaveAttribute("aria-pressed", "false");
    });
  }
  await test.step("a tensor is on the way", async () => {
    await chip.click();
    await page.getByTestId("tensor-w2").focus();
    await page.keyboard.press("Enter");
    await expect(chip).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByTestId("dim-w2-0")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Undo: Split w2" })).toBeEnabled();
    await expect(chip).toHaveAttribute("aria-pressed", "false");
  });
});

test(
  "what is in hand is let go of, and keys do what the hint says",
  onOnePage({
    "Escape gives up a drag of an axis: no edit, nothing in hand, the focus on its chip": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const chip = await middleOf(page.getByTestId("mesh-axis-mp"));
      const goal = await middleOf(page.getByTestId("dim-w2-0"));
      await pull(page, "mesh-axis-mp", { x: goal.x - chip.x, y: goal.y - chip.y });
      await expect(page.locator(".mchip-ghost")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.locator(".mchip-ghost")).toHaveCount(0);
      await page.mouse.move(goal.x + 3, goal.y, { steps: 3 });
      await expect(page.locator(".mchip-ghost")).toHaveCount(0);
      await page.mouse.up();
      await plan.settle();
      await expect(undo(page)).toBeDisabled();
      await expect(page.getByTestId("mesh-axis-mp")).toBeFocused();
      await expect(page.getByTestId("mesh-axis-mp")).toHaveAttribute("aria-pressed", "false");
      await test.step("let go over the chip itself, it is not pressed", async () => {
        await pull(page, "mesh-axis-mp", { x: 0, y: 30 });
        await page.keyboard.press("Escape");
        await page.mouse.move(chip.x, chip.y);
        await page.mouse.up();
        await expect(page.getByTestId("mesh-axis-mp")).toHaveAttribute("aria-pressed", "false");
        await page.getByTestId("mesh-axis-mp").click();
        await expect(page.getByTestId("mesh-axis-mp")).toHaveAttribute("aria-pressed", "true");
      });
    },

    "Escape gives up a drag by touch": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const chip = await middleOf(page.getByTestId("mesh-axis-mp"));
      const goal = await middleOf(page.getByTestId("dim-w2-0"));
      const client = await page.context().newCDPSession(page);
      const touch = (
        type: "touchStart" | "touchMove" | "touchEnd",
        at?: { x: number; y: number },
      ) =>
        client.send("Input.dispatchTouchEvent", {
          type,
          touchPoints: at === undefined ? [] : [at],
        });
      await touch("touchStart", chip);
      for (const share of [0.3, 0.7, 1]) {
        await touch("touchMove", {
          x: chip.x + share * (goal.x - chip.x),
          y: chip.y + share * (goal.y - chip.y),
        });
      }
      await expect(page.locator(".mchip-ghost")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.locator(".mchip-ghost")).toHaveCount(0);
      await touch("touchEnd");
      await plan.settle();
      await expect(undo(page)).toBeDisabled();
    },

    "Escape puts the edge of a panel and the slider of the steps back where they were": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const edge = page.getByRole("separator", { name: "Edge of Program" });
      const width = async () => (await page.locator(".prog").boundingBox())?.width ?? 0;
      const { x, y } = await boxOf(edge);
      await page.mouse.move(x + 4, y + 200);
      await page.mouse.down();
      await page.mouse.move(x + 104, y + 200, { steps: 4 });
      await expect.poll(width).toBe(500);
      await page.keyboard.press("Escape");
      await expect.poll(width).toBe(400);
      await page.mouse.move(x + 60, y + 200, { steps: 3 });
      await expect.poll(width).toBe(400);
      await page.mouse.up();
      await expect(edge).toBeFocused();
      await test.step("the slider of the steps", async () => {
        const slider = page.getByRole("slider", { name: "Step" });
        await expect(slider).toBeVisible();
        const before = await slider.inputValue();
        const { x, y, width, height } = await boxOf(slider);
        await page.mouse.move(x + 8, y + height / 2);
        await page.mouse.down();
        await page.mouse.move(x + width - 8, y + height / 2, { steps: 5 });
        await expect.poll(() => slider.inputValue()).not.toBe(before);
        await page.keyboard.press("Escape");
        await expect.poll(() => slider.inputValue()).toBe(before);
        await page.mouse.move(x + width / 2, y + height / 2, { steps: 3 });
        await page.mouse.up();
        await expect.poll(() => slider.inputValue()).toBe(before);
      });
    },

    "whoever drags the canvas points at nothing that passes by": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const { x, y, width, height } = await boxOf(page.getByTestId("operator-y"));
      const pointedAt = await page.evaluateHandle(() => {
        const seen: EventTarget[] = [];
        const note = ({ target }: Event) => {
          if (target instanceof Element && target.closest(".react-flow__node")) seen.push(target);
        };
        document.addEventListener("mouseover", note, true);
        return seen;
      });
      await page.mouse.move(x + width / 2, y + height + 60);
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y + height + 50);
      for (let at = 0; at < 12; at += 1) {
        await page.mouse.move(x + width / 2, y + height + (at % 2 === 0 ? -30 : 50));
      }
      await page.mouse.up();
      expect(await pointedAt.evaluate((seen) => seen.length)).toBeLessThanOrEqual(1);
      await page.keyboard.press("f");
    },

    "Enter goes from a card to its dims, arrows from dim to dim, Escape back": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByTestId("operator-h").focus();
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("operator-h")).toHaveAttribute("aria-pressed", "true");
      await expect(page.getByTestId("dim-h-0")).toBeFocused();
      await page.keyboard.press("ArrowRight");
      await expect(page.getByTestId("chip-h-0-dp")).toBeFocused();
      await page.keyboard.press("ArrowDown");
      await expect(page.getByTestId("dim-h-1")).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(page.getByTestId("operator-h")).toBeFocused();
      await test.step("the dims are one stop of the Tab key, where it was", async () => {
        const stops = await page
          .locator(".dims")
          .evaluate(
            (dims) =>
              [...dims.querySelectorAll("button")].filter(({ tabIndex }) => tabIndex === 0).length,
          );
        expect(stops).toBe(1);
        await expect(page.getByTestId("dim-h-1")).toHaveAttribute("tabindex", "0");
      });
    },

    "a digit on a tensor of the graph does what the hint says": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByTestId("tensor-w2").click();
      await page.keyboard.press("2");
      await expect(page.getByRole("button", { name: "Undo: Split w2" })).toBeEnabled();
    },

    "a digit on a tensor of several dims takes the axis in hand and asks for the dim": async ({
      page,
    }) => {
      const plan = planPage(page);
      const free =
        "mesh = Mesh(dp=2, mp=2)\nx = Tensor((8, 4))\nw = Parameter((4, 6))\ny = matmul(x, w)\n";
      await plan.open(`/#src=${encodeURIComponent(free)}`);
      await page.getByTestId("tensor-w").click();
      await page.keyboard.press("1");
      await expect(page.getByTestId("status")).toContainText("split it over dp");
      await expect(page.getByTestId("dim-w-0")).toBeFocused();
      await expect(undo(page)).toBeDisabled();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("button", { name: "Undo: Split w.k" })).toBeEnabled();
    },

    "Escape lets go of the canvas that is dragged, and the button presses nothing then": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const viewport = page.locator(".react-flow__viewport");
      const where = () => viewport.evaluate((element) => getComputedStyle(element).transform);
      const graph = await boxOf(page.getByRole("region", { name: "Graph" }));
      const [x, y] = [graph.x + 60, graph.y + 100];
      const before = await where();
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 30, y + 20, { steps: 3 });
      await page.keyboard.press("Escape");
      const then = await where();
      expect(then).not.toBe(before);
      await page.mouse.move(x + 90, y + 60, { steps: 3 });
      expect(await where()).toBe(then);
      await page.mouse.up();
      expect(await where()).toBe(then);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 10, y + 10, { steps: 3 });
      await page.mouse.up();
      expect(await where()).not.toBe(then);
    },
  }),
);
