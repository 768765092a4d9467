import { expect, type Locator, type Page, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { findingsIn } from "./page-states.ts";
import { planPage, watchNoise } from "./plan-page.ts";

/** The sum of a formula's terms, and the value that the formula gives. */
async function sumOf(formula: Locator) {
  await formula.getByTestId("formula-term").first().waitFor();
  const values = await formula
    .getByTestId("formula-term")
    .evaluateAll((terms) => terms.map((term) => Number(term.getAttribute("data-value"))));
  const value = Number(await formula.getAttribute("data-value"));
  return { values, sum: values.reduce((all, each) => all + each, 0), value };
}

const table = (page: Page) => page.getByTestId("cost-table");

test(
  "figures open into their formulas",
  onOnePage({
    "every figure of the cost bar opens into terms that add up to it": async ({ page }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open("/#example=megatron-mlp");
      for (const [id, attribute] of [
        ["hud-time", "data-seconds"],
        ["hud-comm", "data-bytes"],
        ["hud-memory", "data-bytes"],
      ] as const) {
        const figure = page.getByTestId(id);
        await figure.getByRole("button").first().press("Enter");
        const { sum, value } = await sumOf(table(page).getByTestId("formula").first());
        const shown = Number(await figure.getAttribute(attribute));
        expect(value).toBeCloseTo(shown, 12);
        expect(sum).toBeCloseTo(shown, 12);
        await page.keyboard.press("Escape");
        await expect(table(page)).toHaveCount(0);
      }
      expect(noise).toEqual([]);
    },

    "a collective's seconds and an operator's read as formulas with the numbers in them": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#example=megatron-mlp");
      await page.getByTestId("hud-time").getByRole("button").first().click();
      const parts = page.getByTestId("parts-time");
      const sent = parts.getByRole("button", { name: /of all-reduce.*how it comes about/ }).first();
      await sent.press("Enter");
      await expect(sent).toHaveAttribute("aria-expanded", "true");
      const formula = parts.getByTestId("formula").first();
      await expect(formula).toContainText(/2 · \(n − 1\) · α = 2 · \(\d+ − 1\) · 3\.00 µs/);
      await expect(formula).toContainText(/B ÷ W = .* ÷ 300 GB\/s/);
      const { sum, value } = await sumOf(formula);
      expect(sum).toBeCloseTo(value, 12);
      await sent.press("Enter");
      await expect(parts.getByTestId("formula")).toHaveCount(0);
      await parts.getByRole("button", { name: /of h = .*how it comes about/ }).click();
      await expect(parts.getByTestId("formula").first()).toContainText("waves of tiles");
      await expect(parts.getByTestId("formula").first()).toContainText("scaled: curves of a");
    },

    "the step list's figures open too, and the planner's time": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=megatron-mlp");
      const step = page.locator(".why").getByRole("button", { name: /how it comes about/ });
      await step.first().click();
      await expect(page.locator(".why").getByTestId("formula")).toContainText("received by");
      await step.last().click();
      await expect(page.locator(".why").getByTestId("formula").first()).toContainText("launch");
      await page.getByTestId("plan-start").click();
      await expect(page.getByTestId("plan-status")).toHaveAttribute("data-status", "done");
      await page.getByRole("button", { name: /planned: how it comes about/ }).click();
      const { sum } = await sumOf(page.getByTestId("plan-status").getByTestId("formula"));
      const seconds = Number(await page.getByTestId("plan-status").getAttribute("data-objective"));
      expect(sum).toBeCloseTo(seconds, 12);
    },
  }),
);

for (const [name, width, height] of [
  ["a desk", 1440, 900],
  ["a phone", 390, 844],
] as const) {
  test(`formulas on ${name}, in both themes and without faults of access`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const plan = planPage(page);
    await plan.open("/#example=megatron-mlp");
    if (width < 600) {
      await page.getByRole("tab", { name: "Costs" }).click();
      await page.getByText("Time", { exact: true }).last().click();
    } else await page.getByTestId("hud-time").getByRole("button").first().click();
    const opener = page.getByTestId("parts-time").getByRole("button", {
      name: /how it comes about/,
    });
    await opener.first().click();
    await expect(page.getByTestId("parts-time").getByTestId("formula").first()).toBeVisible();
    const where = width < 600 ? ".compare-section" : ".cost-table";
    expect(await findingsIn(page, where)).toEqual([]);
  });
}
