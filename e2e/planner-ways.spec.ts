import { expect, type Page, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { planPage, watchNoise } from "./plan-page.ts";

const status = (page: Page) => page.getByTestId("plan-status");

/** A hidden layer that nobody has cut well. */
const slow = `mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((8, 1024, 4096), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")
h = matmul(x, w1)  # columns
y = matmul(h, w2)
strategy(h)
`;

async function opened(page: Page) {
  const plan = planPage(page);
  await plan.open(`/#src=${encodeURIComponent(slow)}`);
  return plan;
}

/** Opens the ways of an operator, and waits until all are there. */
async function weighed(page: Page, operator: string): Promise<void> {
  const choice = page.getByTestId("ways-operator");
  if (!(await choice.isVisible())) await page.getByText("Other ways to split an operator").click();
  await choice.selectOption(operator);
  await page.getByTestId("ways-weigh").click();
  await expect(page.getByTestId("way-row").first()).toBeVisible();
  await expect(page.getByTestId("ways-progress")).toHaveCount(0, { timeout: 60_000 });
}

const secondsOf = (page: Page) =>
  page
    .getByTestId("way-row")
    .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute("data-seconds"))));

test(
  "ways, patterns and pins",
  onOnePage({
    "the ways of an operator come sorted by time, each with what decides, and one is taken as one edit":
      async ({ page }) => {
        const noise = watchNoise(page);
        const plan = await opened(page);
        await page.getByTestId("plan-start").click();
        await expect(status(page)).toHaveAttribute("data-status", "done");
        const best = Number(await status(page).getAttribute("data-objective"));
        await weighed(page, "h");
        const seconds = await secondsOf(page);
        expect(seconds.length).toBeGreaterThan(4);
        expect(seconds).toEqual([...seconds].sort((a, b) => a - b));
        expect(seconds[0]).toBeCloseTo(best, 12);
        await page.getByRole("button", { name: /^All \d+ ways/ }).click();
        const slower = page.locator('[data-testid="way-row"][data-decided]').last();
        await expect(slower).toHaveAttribute("data-decided", /^(communication|compute|memory)$/);
        await expect(slower).toContainText(/by (communication|compute|memory) \+/);
        const takes = Number(await slower.getAttribute("data-seconds"));
        expect(takes).toBeGreaterThan(best);
        await page.getByTestId("way-row").filter({ hasText: "as the text has it" }).waitFor();
        await slower.getByRole("button", { name: /^Take / }).click();
        await plan.settle();
        await expect(slower).toContainText("in the text");
        const shown = Number(await page.getByTestId("hud-time").getAttribute("data-seconds"));
        expect(shown).toBeCloseTo(takes, 12);
        await page.keyboard.press("Escape");
        expect(await plan.program()).toContain("pin(h)");
        await page.getByRole("button", { name: /^Undo: Split h: / }).click();
        await plan.settle();
        expect(await plan.program()).toBe(slow);
        expect(noise).toEqual([]);
      },

    "the plan names its patterns with what they were recognised by, also in its changes": async ({
      page,
    }) => {
      await opened(page);
      await page.getByTestId("plan-start").click();
      await expect(status(page)).toHaveAttribute("data-status", "done");
      await page.getByTestId("plan-details").locator("summary").click();
      const patterns = page.getByTestId("plan-patterns");
      await expect(patterns.locator("dt").first()).toContainText(" over ");
      await expect(patterns.locator("dd").first()).toContainText(/ cuts? /);
      const name =
        ((await patterns.locator("dt").first().textContent()) ?? "").split(" over ")[0] ?? "";
      const row = status(page).getByRole("row", { name: /^h whole/ });
      await expect(row).toContainText(new RegExp(`${name}: \\w+ over `));
    },

    "ways by keys alone, and an edit forgets them": async ({ page }) => {
      const plan = await opened(page);
      await page.keyboard.press("p");
      await expect(status(page)).toHaveAttribute("data-status", "done");
      // The panel is in its former state.
      if (!(await page.getByTestId("ways-weigh").isVisible())) {
        await page.getByText("Other ways to split an operator").focus();
        await page.keyboard.press("Enter");
      }
      await page.getByTestId("ways-weigh").focus();
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("ways-progress")).toHaveCount(0);
      await expect(page.getByTestId("way-row").first()).toBeVisible();
      await page.getByTestId("ways-cancel").waitFor({ state: "detached" });
      await page.keyboard.press("Escape");
      await plan.selectProgram();
      await plan.paste(`${slow}strategy(y)\n`);
      await page.keyboard.press("Escape");
      await page.getByTestId("plan-start").click();
      await expect(status(page)).toHaveAttribute("data-status", "done");
      await expect(page.getByTestId("way-row")).toHaveCount(0);
    },

    "pins from the palette and from a chip, and the ways from the inspector and the palette":
      async ({ page }) => {
        const plan = await opened(page);
        const run = async (words: string) => {
          await page.keyboard.press("Control+k");
          await page.getByTestId("palette-query").fill(words);
          await page.keyboard.press("Enter");
          await plan.settle();
        };
        const chip = page.getByTestId("mesh-axis-tp");
        await run("pin axis tp");
        await expect(chip).toHaveAccessibleName(/pinned/);
        await chip.focus();
        await page.getByRole("button", { name: "Unpin tp" }).press("Enter");
        await plan.settle();
        await expect(chip).not.toHaveAccessibleName(/pinned/);
        await page.getByTestId("operator-h").click();
        await run("pin h: the planner");
        await expect(page.getByTestId("operator-h").getByText("pinned")).toBeVisible();
        await page.getByTestId("ways-tensor").press("Enter");
        await expect(page.getByTestId("way-row").first()).toBeVisible();
        await expect(page.getByTestId("ways-operator")).toHaveValue("h");
        await page.keyboard.press("Escape");
        await page.getByTestId("operator-y").click();
        await run("other ways to split y");
        await expect(page.getByTestId("ways-operator")).toHaveValue("y");
        await expect(page.getByTestId("way-row").first()).toBeVisible();
      },
  }),
);
