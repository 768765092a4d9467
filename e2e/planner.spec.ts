import { expect, type Page, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { findingsIn } from "./page-states.ts";
import { planPage, watchNoise } from "./plan-page.ts";

const status = (page: Page) => page.getByTestId("plan-status");

/** Hidden layer with a poor plan. */
const slow = `mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((4096, 4096), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")
h = matmul(x, w1)  # columns
y = matmul(h, w2)
strategy(h)
`;

const address = (text: string) => `/#src=${encodeURIComponent(text)}`;

async function found(page: Page): Promise<number> {
  await expect(status(page)).toHaveAttribute("data-status", "done");
  return Number(await status(page).getAttribute("data-objective"));
}

test(
  "the planner finds, explains, keeps and is cancelled",
  onOnePage({
    "Plan finds a faster plan, proves it, writes it as one edit and takes it back": async ({
      page,
    }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(address(slow));
      const before = await plan.program();
      await page.getByTestId("plan-start").click();
      expect(await found(page)).toBeGreaterThan(0);
      await expect(status(page)).toHaveAttribute("data-gap", "0");
      await expect(status(page)).toContainText(
        "Proven: under this model no even cut by whole axes is faster",
      );
      await expect(status(page)).toContainText("× as fast as yours");
      await page.getByTestId("plan-details").locator("summary").click();
      await expect(status(page).getByRole("row", { name: /^h whole/ })).toBeVisible();
      await status(page)
        .getByRole("button", { name: /per device: how it comes about/ })
        .click();
      const memory = status(page).getByTestId("formula").filter({ hasText: "Memory per device" });
      const terms = memory.getByTestId("formula-term");
      const sum = await terms.evaluateAll((all) =>
        all.reduce((total, term) => total + Number(term.getAttribute("data-value")), 0),
      );
      expect(sum).toBe(Number(await memory.getAttribute("data-value")));
      await page.getByRole("button", { name: "Apply" }).click();
      await plan.settle();
      await expect(status(page)).toContainText("Written into the text");
      await page.getByTestId("plan-undo").click();
      await plan.settle();
      await expect(page.getByRole("button", { name: "Apply" })).toBeVisible();
      await page.getByTestId("plan-apply").click();
      await page.keyboard.press("Escape");
      await plan.settle();
      const after = await plan.program();
      expect(after).toContain("h = matmul(x, w1)  # columns");
      expect(after).not.toContain("strategy(h)\n");
      await page.getByRole("button", { name: /^Undo: Plan of/ }).click();
      await plan.settle();
      expect(await plan.program()).toBe(before);
      expect(noise).toEqual([]);
    },

    "what is pinned stays, and the panel says what is pinned": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(address(`${slow}pin(h)\n`));
      await page.getByTestId("plan-start").click();
      await found(page);
      await page.getByTestId("plan-details").locator("summary").click();
      await expect(status(page)).toContainText("Pinned: h");
      await expect(status(page).getByRole("row", { name: /^h / })).toHaveCount(0);
    },

    "a search is cancelled at once, and an edit ends one too": async ({ page }) => {
      const many = Array.from({ length: 40 }, (_, at) => {
        const [last, next] = [`h${at}`, `h${at + 1}`];
        const size = 64 * (at + 3);
        return `w${at} = Parameter((${64 * (at + 2)}, ${size}), "bf16")\n${next} = matmul(${last}, w${at})`;
      });
      const long = `mesh = Mesh(a=2, b=2, c=2, d=2)\nh0 = Tensor((4096, 128), "bf16")\n${many.join("\n")}\n`;
      const plan = planPage(page);
      await plan.open(address(long));
      await page.getByTestId("plan-start").click();
      await expect(status(page)).toHaveAttribute("data-status", "searching");
      await page.getByTestId("plan-cancel").click();
      await expect(status(page)).toHaveAttribute("data-status", "idle");
      await expect(status(page)).toContainText("The search is cancelled");
    },

    "the planner by keys alone": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(address(slow));
      await page.keyboard.press("p");
      await found(page);
      await page.getByTestId("plan-apply").focus();
      await page.keyboard.press("Enter");
      await plan.settle();
      await expect(status(page)).toContainText("Written into the text");
      await page.keyboard.press("Escape");
      await expect(status(page)).toBeVisible();
      await page.getByRole("button", { name: "Close the planner" }).focus();
      await page.keyboard.press("Enter");
      await expect(status(page)).toHaveCount(0);
    },

    "a limit that no plan meets is explained, and the leanest plan is one press away": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(address(slow));
      await page.getByTestId("plan-start").click();
      await found(page);
      await page.getByTestId("plan-memory-limit").fill("0.001");
      await page.keyboard.press("Enter");
      await expect(status(page)).toHaveAttribute("data-status", "infeasible");
      await expect(status(page)).toContainText("No plan fits into 1.00 MB per device");
      await expect(status(page)).toContainText("The leanest plan takes");
      const shortage = page.getByTestId("plan-shortage");
      await expect(shortage).toContainText(/parameters \d/);
      await expect(shortage).toContainText(/What would do/);
      await page.getByTestId("plan-raise").click();
      await found(page);
    },
  }),
);

for (const [name, width, height] of [
  ["a tablet", 834, 1112],
  ["a phone", 390, 844],
] as const) {
  test(`the planner on ${name}, with the dark theme and without faults of access`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    const plan = planPage(page);
    await plan.open(address(slow));
    if (width < 600) await page.getByRole("tab", { name: "Costs" }).click();
    await page.getByTestId("plan-start").click();
    await found(page);
    expect(await findingsIn(page, ".planner")).toEqual([]);
    await page.getByTestId("plan-apply").click();
    await plan.settle();
    await expect(status(page)).toContainText("Written into the text");
  });
}
