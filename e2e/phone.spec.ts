import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

test(
  "a plan on a phone",
  onOnePage({
    "on a phone a dim is split from the sheet of choices": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByTestId("tensor-w2").tap();
      await page.getByTestId("dim-w2-0").tap();
      await page
        .getByRole("dialog", { name: "Split w2" })
        .getByRole("button", { name: "mp" })
        .tap();
      await plan.settle();
      expect((await plan.ranges("w2"))[1]?.[0]).toEqual([2048, 4096]);
    },

    "on a phone a long name keeps its last part, and a short one stays whole": async ({ page }) => {
      const text = `import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a_very_long_name_of_a_layer_inside_a_model = nn.Linear(8, 8)
    def forward(self, x):
        return self.a_very_long_name_of_a_layer_inside_a_model(x)
y = Net()(torch.zeros(4, 8))
`;
      await planPage(page).open(`/#src=${encodeURIComponent(text)}`);
      const row = (name: string) =>
        page.locator(`[data-testid^="tensor-"][data-testid$="${name}"]`);
      await expect(row(".weight").locator(".nm-tail")).toHaveText(".weight");
      const cut = (name: string) =>
        row(name)
          .locator(".nm-head")
          .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
      expect(await cut(".weight")).toBe(true);
      expect(await cut("-y")).toBe(false);
      const [tail, line] = await Promise.all(
        [".nm-tail", ".nm"].map((part) => row(".weight").locator(part).boundingBox()),
      );
      expect((tail?.x ?? 0) + (tail?.width ?? 0)).toBeLessThanOrEqual(
        (line?.x ?? 0) + (line?.width ?? 0) + 1,
      );
    },

    "on a phone every tab opens and the text can be typed": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      for (const tab of ["Mesh", "Costs", "Program", "Plan"]) {
        await page.getByRole("tab", { name: tab }).tap();
        await expect(page.getByRole("tab", { name: tab })).toHaveAttribute("aria-selected", "true");
      }
      await page.getByRole("tab", { name: "Program" }).tap();
      await page
        .getByRole("textbox", { name: "Program" })
        .fill("x = Tensor((8, 4))\ny = relu(x)\n");
      await plan.settle();
      await page.getByRole("tab", { name: "Plan" }).tap();
      await expect(page.getByTestId("tensor-y")).toBeVisible();
    },
  }),
);

test("on a phone all of Share is as wide as its popover, and Copy is in sight", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open(firstExample);
  for (const width of [320, 360, 390, 430]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByTestId("share-link").tap();
    const popover = page.locator(".share-pop");
    await expect(popover.getByText("Show it inside another page")).toBeVisible();
    await expect(popover.getByRole("button", { name: "Copy" }).first()).toBeInViewport({
      ratio: 1,
    });
    const over = await popover.evaluate(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    );
    expect(over, `${width} pixels`).toBe(0);
    await page.keyboard.press("Escape");
  }
});
