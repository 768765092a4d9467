import { expect, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

test(
  "a training step on the canvas",
  onOnePage({
    "a training step stands on the canvas: gradients, what adds them up, what they update": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#example=fsdp");
      const graph = page.getByRole("region", { name: "Graph" });
      await expect(graph.getByRole("heading", { name: "Gradients ↑" })).toBeVisible();
      await expect(graph.getByTestId("operator-w2.grad")).toBeVisible();
      await expect(graph.getByTestId("operator-w2.new")).toBeVisible();
      await expect(graph.getByTestId("tensor-w2.m")).toBeVisible();
      const gathered = graph.getByTestId("redist-3");
      await expect(gathered).toContainText("w2 again");
      await expect(graph.getByTestId("redist-4")).toContainText("reduce-scatter");
      await test.step("each is level with its forward operator", async () => {
        const [forward, gradient] = await Promise.all(
          ["operator-a", "operator-h.grad"].map((id) => graph.getByTestId(id).boundingBox()),
        );
        const middle = (box: typeof forward) => (box?.y ?? 0) + (box?.height ?? 0) / 2;
        expect(Math.abs(middle(forward ?? null) - middle(gradient ?? null))).toBeLessThan(2);
      });
      await test.step("a gradient is inspected, and has its table", async () => {
        await graph.getByTestId("tensor-w2.grad").click();
        await expect(page.getByRole("region", { name: "Tensor w2.grad" })).toBeVisible();
        await expect(page.getByTestId("table-w2.grad")).toBeAttached();
      });
      await test.step("what is pointed at shows what belongs to it, both ways", async () => {
        await graph.getByTestId("tensor-w1.grad").hover();
        await expect(graph.locator('[data-mate="tensor-w1"]')).toBeAttached();
        await graph.getByTestId("tensor-w1").hover();
        await expect(graph.locator('[data-mate="tensor-w1.grad"]')).toBeAttached();
      });
      await test.step("the outline reads it out, phase by phase", async () => {
        await page.getByRole("tab", { name: "Outline" }).click();
        const outline = page.getByRole("tree");
        await expect(outline.getByText("The backward pass: 6 operators.")).toBeVisible();
        await expect(outline.getByText(/^w2\.grad, the gradient of w2, bf16/u)).toBeVisible();
        await expect(outline.getByText("The update of the parameters: 3 operators.")).toBeVisible();
      });
      await test.step("the steps select what stands on the canvas", async () => {
        await graph.getByTestId("redist-4").click();
        await expect(graph.getByTestId("redist-4")).toHaveAttribute("aria-pressed", "true");
        await page.getByTestId("step-next").click();
        await page.getByTestId("step-next").click();
        await expect(graph.getByTestId("operator-h.grad")).toHaveAttribute("aria-pressed", "true");
      });
      await test.step("forward alone, remembered, and nothing of it in the text", async () => {
        await page.getByRole("radio", { name: "Forward only" }).check({ force: true });
        await expect(graph.getByTestId("operator-w2.grad")).toHaveCount(0);
        await expect(graph.getByTestId("operator-h")).toBeVisible();
        await expect(page.getByRole("button", { name: "Undo" })).toBeDisabled();
        await page.reload();
        await expect(page.getByTestId("operator-h")).toBeVisible();
        await expect(page.getByTestId("operator-w2.grad")).toHaveCount(0);
        await page.getByRole("radio", { name: "Training step" }).check({ force: true });
        await expect(graph.getByTestId("operator-w2.grad")).toBeVisible();
      });
    },

    "the hint names a key that does what it says": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=two-matmuls");
      const hint = page.getByRole("note");
      await expect(hint).toContainText("or click w2 and press 2.");
      await page.getByTestId("tensor-w2").click();
      await page.keyboard.press("2");
      await plan.settle();
      await expect(page.getByTestId("program")).toContainText('k="mp"');
      // The next hint appears at the same place.
      await expect(hint.filter({ hasText: "press 2" })).toHaveCount(0);
    },
  }),
);

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the list names the phases of a training step", async ({ page }) => {
    const plan = planPage(page);
    await plan.open("/#example=zero");
    await expect(page.getByRole("heading", { name: "Backward" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Update" })).toBeVisible();
    await page.getByTestId("tensor-w1.grad").tap();
    await expect(page.getByRole("main")).toContainText("w1.grad, the gradient of w1");
  });
});
