import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { findingsIn } from "./page-states.ts";
import { planPage, watchNoise } from "./plan-page.ts";

const megatron = "/#example=megatron-mlp";

/** A net of four equal blocks, trained on one device. */
const net = `import torch
import torch.nn as nn
mesh = Mesh(p=1)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(256, 1024), nn.Linear(1024, 256)
    def forward(self, x):
        return x + self.b(torch.relu(self.a(x)))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(4)])
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
loss = Net()(Tensor((16384, 256))).sum()
train(loss)
`;

/** Opens the table of a figure in the cost bar. */
async function openTable(page: Page, id: "hud-time" | "hud-memory") {
  const figure = page.getByTestId(id).getByRole("button").first();
  // An earlier journey may have left it open.
  if ((await figure.getAttribute("aria-expanded")) === "false") await figure.click();
  await expect(page.getByTestId("cost-table")).toBeVisible();
}

test(
  "time and memory beside what was measured",
  onOnePage({
    "a figure opens down to its source": async ({ page }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(megatron);
      await openTable(page, "hud-time");
      const parts = page.getByTestId("parts-time");
      await parts.getByRole("button", { name: /of h = .*how it comes about/ }).click();
      const formula = parts.getByTestId("formula").first();
      await expect(formula.getByTestId("formula-term").first()).toBeVisible();
      await expect(formula).toContainText(/measured|scaled|sheet/);
      await parts.getByTestId("kernel-source").getByRole("button").click();
      const evidence = page.getByTestId("evidence");
      await expect(evidence.getByRole("searchbox")).toHaveValue("matmul");
      const rows = evidence.getByTestId("evidence-rows");
      await rows
        .getByRole("button", { name: /^matmul \d/ })
        .first()
        .click();
      const details = evidence.getByTestId("evidence-details");
      await expect(details).toContainText("Source NVIDIA H100");
      await expect(details.locator("pre")).toContainText("y = x @ w");
      await details.getByRole("button", { name: "Open this program" }).click();
      await plan.settle();
      await expect(evidence).toHaveCount(0);
      expect(await plan.program()).toContain("y = x @ w");
      expect(noise).toEqual([]);
    },

    "beside time and memory stands how far steps like this one were off": async ({ page }) => {
      const plan = planPage(page);
      // Nobody measured a forward pass alone on four devices.
      await plan.open(firstExample);
      await expect(page.getByTestId("stated-time")).toHaveText("± ?");
      await expect(page.getByTestId("stated-memory")).toHaveText("± ?");
      await plan.open(megatron);
      await expect(page.getByTestId("stated-time")).toHaveText(/^±\d+ %$/u);
      await page.getByTestId("stated-time").click();
      const evidence = page.getByTestId("evidence");
      await expect(evidence.getByRole("region", { name: "published steps" })).toBeVisible();
      await expect(evidence).toContainText("Half of the rows are within ±");
      await page.keyboard.press("Escape");
      await expect(evidence).toHaveCount(0);
      await page.getByTestId("stated-memory").press("Enter");
      await expect(evidence.getByRole("region", { name: "published memory" })).toBeVisible();
      await evidence.getByRole("button", { name: "operators", exact: true }).click();
      await expect(evidence.getByRole("status")).toHaveText("430 rows");
      await evidence.getByRole("searchbox").fill("softmax");
      await expect(evidence.getByRole("status")).toHaveText("19 rows");
      const measured = evidence.getByRole("button", { name: "measured", exact: true });
      await measured.click();
      const column = evidence.locator("[data-testid=evidence-rows] tbody td:nth-child(2)");
      const last = await column.last().textContent();
      await measured.click();
      await expect(column.first()).toHaveText(last ?? "");
      await evidence.getByRole("button", { name: "Close the measurements" }).click();
      await expect(evidence).toHaveCount(0);
    },

    "the memory curve": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(megatron);
      await openTable(page, "hud-memory");
      const curve = page.getByTestId("memory-curve");
      const slider = curve.getByRole("slider", { name: "Memory over the step" });
      const moment = curve.getByTestId("memory-moment");
      const peak = Number(await page.getByTestId("hud-memory").getAttribute("data-bytes"));
      expect(peak).toBeGreaterThan(0);
      await expect(moment).toContainText("the peak");
      await expect(curve.locator("svg")).toContainText("forward");
      await expect(curve.locator("svg")).toContainText("backward");
      await slider.focus();
      await page.keyboard.press("Home");
      await expect(slider).toHaveAttribute("aria-valuenow", "0");
      await expect(moment).toContainText(/Step 1 of \d+, forward: .* while n = layer_norm/);
      await page.keyboard.press("ArrowRight");
      await expect(moment).toContainText("Step 2 of");
      const box = await slider.boundingBox();
      if (box !== null) await page.mouse.move(box.x + box.width - 12, box.y + 60);
      await expect(moment).toContainText("update");
      await curve.getByRole("button", { name: "To the peak" }).click();
      await expect(moment).toContainText("the peak");
    },

    "recompute by budget": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(`/#src=${encodeURIComponent(net)}`);
      const peak = () => plan.number("hud-memory");
      const before = await peak();
      await openTable(page, "hud-memory");
      const form = page.getByTestId("recompute");
      await expect(form).toContainText("backward pass: nothing");
      await form.getByRole("button", { name: "Every block" }).click();
      await plan.settle();
      await expect(form).not.toContainText("backward pass: nothing");
      const least = await peak();
      expect(least).toBeLessThan(before);
      const budget = (least + before) / 2;
      await form.getByRole("textbox").fill(String(budget / 1e9));
      await form.getByRole("button", { name: "Fit" }).click();
      await expect(form.getByRole("status")).toContainText(/\d of 4 blocks are computed again/);
      await plan.settle();
      expect(await peak()).toBeLessThanOrEqual(budget);
      await form.getByRole("textbox").fill(String(least / 2e9));
      await form.getByRole("button", { name: "Fit" }).click();
      await expect(form.getByRole("status")).toContainText("With all 4 blocks computed again");
      await form.getByRole("button", { name: "Nothing" }).click();
      // The text changes once the compiler has answered.
      await expect(form).toContainText("backward pass: nothing");
      await plan.settle();
      expect(await peak()).toBe(before);
      expect(await plan.program()).toContain("train(loss)");
    },

    "a step says how well it uses its devices, and what takes the most time": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(megatron);
      await openTable(page, "hud-time");
      const figures = page.getByTestId("step-figures");
      await expect(figures).toContainText("Tokens per second");
      await expect(figures).toContainText("Exposed communication");
      await figures
        .getByRole("button", { name: /Model FLOPs utilisation .* how it comes/ })
        .click();
      await expect(figures.getByTestId("formula")).toContainText("÷ devices");
      await expect(page.getByTestId("cost-table")).toContainText("matmul, backward ×2");
    },
  }),
);

for (const [name, width, height] of [
  ["a desk", 1440, 900],
  ["a tablet", 834, 1112],
  ["a phone", 390, 844],
] as const) {
  test(`measurements on ${name}, in both themes and without faults of access`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const plan = planPage(page);
    await plan.open(megatron);
    if (width < 600) {
      await page.getByRole("tab", { name: "Costs" }).click();
      await page.getByRole("button", { name: "Every measurement" }).first().click();
    } else await page.getByTestId("stated-time").click();
    await expect(page.getByTestId("evidence-scatter")).toBeVisible();
    expect(await findingsIn(page, ".evidence")).toEqual([]);
  });
}
