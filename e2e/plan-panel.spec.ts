import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { findingsIn } from "./page-states.ts";
import { planPage, watchNoise } from "./plan-page.ts";

const gpt = readFileSync(new URL("./texts/gpt-24.py", import.meta.url), "utf8");
const address = `/#src=${encodeURIComponent(gpt)}`;

const status = (page: Page) => page.getByTestId("plan-status");
const partOf = (page: Page, key: string) =>
  page.locator(`[data-testid="plan-part"][data-key="${key}"]`);

/** Waits until the plan is there and each of its parts is weighed. */
async function weighed(page: Page): Promise<void> {
  await expect(status(page)).toHaveAttribute("data-status", "done", { timeout: 90_000 });
  await expect(page.getByTestId("plan-part").first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByTestId("plan-parts")).toHaveAttribute("aria-busy", "false", {
    timeout: 60_000,
  });
}

const seconds = async (page: Page) =>
  Number(await page.getByTestId("hud-time").getAttribute("data-seconds"));

/** The lines after those of the text as it was opened. */
const written = (program: string) =>
  program
    .slice(gpt.trimEnd().length)
    .split("\n")
    .filter((line) => line !== "");

test("a GPT of 24 layers on a desk: sentences, one module left out, and a text of few lines", async ({
  page,
}) => {
  test.slow();
  const noise = watchNoise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const plan = planPage(page);
  await plan.open(address);
  await page.getByTestId("plan-start").click();
  await weighed(page);
  const sentences = page.getByTestId("plan-sentences");
  await expect(sentences).toContainText("HSDP over dp, tp in blocks");
  await expect(sentences).toContainText(/The network is busy for .* exposed/);
  await expect(page.getByTestId("plan-gap")).toContainText(/Bound.*1\.\d\d×|Proven/);
  await expect(page.getByTestId("plan-forward")).toHaveCount(0);
  const mlp = partOf(page, "blocks[*].mlp");
  await expect(mlp).toContainText("×24");
  await mlp.hover();
  await expect(page.locator(".planner-parts li:hover")).toHaveCount(1);
  const whole = Number(await status(page).getAttribute("data-objective"));
  const brings = Number(await mlp.getAttribute("data-seconds"));
  await mlp.getByRole("checkbox").uncheck();
  await expect(page.getByText(/^\d+ of \d+ changes$/)).toBeVisible();
  await expect(page.getByTestId("plan-apply")).toBeEnabled();
  await weighed(page);
  await page.getByTestId("plan-apply").click();
  await plan.settle();
  await expect(status(page)).toContainText("Written into the text");
  expect(await seconds(page)).toBeCloseTo(whole - brings, 6);
  await mlp.getByRole("checkbox").check();
  await expect(page.getByTestId("plan-apply")).toBeVisible({ timeout: 60_000 });
  await page.getByTestId("plan-apply").click();
  await plan.settle();
  expect(await seconds(page)).toBeCloseTo(whole, 9);
  await expect(page.getByText('strategy("wte"').first()).toBeInViewport();
  const lines = written(await plan.program());
  expect(lines.length).toBeLessThanOrEqual(12);
  expect(lines.filter((line) => /\[\d+\]/.test(line))).toEqual([]);
  expect(noise).toEqual([]);
});

test("by keys alone: the plan is found, a part is left out and applied, and it keeps its place", async ({
  page,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  const plan = planPage(page);
  await plan.open(address);
  await page.keyboard.press("p");
  await weighed(page);
  const attention = partOf(page, "blocks[*].attn").getByRole("checkbox");
  await attention.focus();
  await page.keyboard.press("Space");
  await expect(attention).not.toBeChecked();
  await weighed(page);
  await page.getByTestId("plan-apply").focus();
  await page.keyboard.press("Enter");
  await plan.settle();
  await expect(status(page)).toContainText("Written into the text");
  const region = page.getByRole("region", { name: "Planner" });
  const tabs = page.getByRole("tablist", { name: "Plan or tensor" });
  await page.getByTestId("operator-loss").focus();
  await page.keyboard.press("Enter");
  await expect(region).toHaveCount(0);
  await tabs.getByRole("tab", { name: "Tensor" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(region).toBeVisible();
  await page.getByTestId("plan-pin").focus();
  await page.keyboard.press("Enter");
  await page.getByTestId("operator-loss").focus();
  await page.keyboard.press("Enter");
  await expect(region).toBeVisible();
});

test("a forward pass is told, and becomes a training step by one press", async ({ page }) => {
  const plan = planPage(page);
  const text = `mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((4096, 4096), "bf16")
w = Parameter((4096, 16384), "bf16")
h = matmul(x, w)
strategy(h, k="tp")
`;
  await plan.open(`/#src=${encodeURIComponent(text)}`);
  await page.getByTestId("plan-start").click();
  await expect(status(page)).toHaveAttribute("data-status", "done");
  await expect(page.getByTestId("plan-gone")).toContainText('Line 5, strategy(h, k="tp")');
  await page.getByTestId("plan-forward").getByRole("button", { name: "Add train(h)" }).click();
  await expect(status(page)).toHaveAttribute("data-status", "done");
  await expect(page.getByTestId("plan-forward")).toHaveCount(0);
  expect(await plan.program()).toContain("train(h)\n");
});

test("a text without a mesh is planned on one at a press, and trained by its loss's name", async ({
  page,
}) => {
  const plan = planPage(page);
  const text = `"""A net."""
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4096, 4096)
    def forward(self, x):
        loss = self.fc(x)
        return loss
`;
  await plan.open(`/#src=${encodeURIComponent(text)}`);
  await page.getByTestId("plan-start").click();
  await expect(status(page)).toContainText("one device");
  const meshes = page.getByTestId("plan-meshes");
  await meshes.getByRole("button", { name: "8 devices, dp 2 × tp 4" }).click();
  await expect(status(page)).toHaveAttribute("data-status", "done");
  await expect(meshes).toHaveCount(0);
  expect(await plan.program()).toContain("from torch import nn\nmesh = Mesh(dp=2, tp=4)\nclass");
  await page.getByRole("button", { name: 'Add train("loss")' }).click();
  await expect(page.getByTestId("plan-forward")).toHaveCount(0);
  expect(await plan.program()).toContain('train("loss")\n');
});

for (const [name, width, height] of [
  ["a tablet", 834, 1112],
  ["a phone", 390, 844],
] as const) {
  test.describe(name, () => {
    test.use({ hasTouch: true, viewport: { width, height } });

    test("a part is left out and the rest applied by touch", async ({ page }) => {
      test.slow();
      const plan = planPage(page);
      await plan.open(address);
      if (width < 600) await page.getByRole("tab", { name: "Costs" }).tap();
      await page.getByTestId("plan-start").tap();
      await weighed(page);
      if (width >= 600) {
        await expect(page.getByRole("tab", { name: "Plan", exact: true })).toHaveAttribute(
          "aria-selected",
          "true",
        );
      }
      const mlp = partOf(page, "blocks[*].mlp");
      await mlp.getByRole("checkbox").tap();
      await weighed(page);
      expect(await findingsIn(page, ".planner")).toEqual([]);
      await page.getByTestId("plan-apply").tap();
      await plan.settle();
      await expect(status(page)).toContainText("Written into the text");
    });
  });
}
