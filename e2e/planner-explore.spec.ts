import { expect, type Page, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { findingsIn } from "./page-states.ts";
import { planPage, watchNoise } from "./plan-page.ts";

const status = (page: Page) => page.getByTestId("plan-status");

/** A hidden layer that nobody has cut well. */
const slow = `batch = 8
mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((batch, 1024, 4096), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")
h = matmul(x, w1)  # columns
y = matmul(h, w2)
strategy(h)
`;

const address = (text: string) => `/#src=${encodeURIComponent(text)}`;

async function isFound(page: Page): Promise<void> {
  await expect(status(page)).toHaveAttribute("data-status", "done");
}

async function opened(page: Page, text = slow) {
  const plan = planPage(page);
  await plan.open(address(text));
  await page.getByTestId("plan-start").click();
  await isFound(page);
  return plan;
}

async function surveyed(page: Page, kind: "meshes" | "limits"): Promise<void> {
  const isOpen = await page.getByTestId("survey-meshes").isVisible();
  if (!isOpen) await page.getByText("Other meshes and memory").click();
  await page.getByTestId(`survey-${kind}`).click();
  await expect(page.getByTestId("survey-row").first()).toBeVisible();
  await expect(page.getByTestId("survey-progress")).toHaveCount(0);
}

/**
 * Hidden layers of different widths, so that no two are planned together. Each adds the result of
 * the layer eight before it, so that many layouts must agree and the search takes long.
 */
function layers(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const width = 8192 + 1024 * at;
    return [
      `a${at} = Parameter((4096, ${width}), "bf16")`,
      `b${at} = Parameter((${width}, 4096), "bf16")`,
      `h${at} = matmul(x${at}, a${at})`,
      `y${at} = matmul(h${at}, b${at})`,
      at < 8 ? `x${at + 1} = y${at}` : `x${at + 1} = y${at} + y${at - 8}`,
    ].join("\n");
  });
  return `mesh = Mesh(dp=2, tp=2, sp=2)\nx0 = Tensor((8, 1024, 4096), "bf16")\n${lines.join("\n")}\n`;
}

for (const [name, width, height] of [
  ["a desk", 1440, 900],
  ["a phone", 390, 844],
] as const) {
  test(`surveys, sliders and ways on ${name}, in both themes and without faults of access`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    const plan = planPage(page);
    await plan.open(address(slow));
    if (width < 600) await page.getByRole("tab", { name: "Costs" }).click();
    await page.getByTestId("plan-start").click();
    await isFound(page);
    await page.getByText("What if", { exact: true }).click();
    await surveyed(page, "meshes");
    await surveyed(page, "limits");
    await page.getByText("Other ways to split an operator").click();
    await page.getByTestId("ways-operator").selectOption("y");
    await page.getByTestId("ways-weigh").click();
    await expect(page.getByTestId("way-row").first()).toBeVisible();
    await expect(page.getByTestId("ways-progress")).toHaveCount(0, { timeout: 60_000 });
    expect(await findingsIn(page, ".planner")).toEqual([]);
  });
}

test(
  "meshes, limits, sliders and pins are explored",
  onOnePage({
    "every mesh is planned, the table is sorted, and a row is applied as one edit": async ({
      page,
    }) => {
      const noise = watchNoise(page);
      const plan = await opened(page);
      const before = await page.getByTestId("hud-time").textContent();
      await surveyed(page, "meshes");
      const rows = page.getByTestId("survey-row");
      await expect(rows).toHaveCount(3);
      const table = page.getByRole("table", { name: "Meshes" });
      await expect(table.getByRole("row", { name: /^Your plan/ })).toBeVisible();
      await table.getByRole("button", { name: "Plan", exact: true }).click();
      await expect(table.getByRole("columnheader", { name: "Plan" })).toHaveAttribute(
        "aria-sort",
        "ascending",
      );
      await page.getByRole("button", { name: "Apply the plan: dp=8", exact: true }).click();
      await plan.settle();
      await expect(status(page)).toContainText("Written into the text");
      await expect(page.getByTestId("mesh-axis-tp")).toHaveCount(0);
      await expect(page.getByTestId("hud-time")).not.toHaveText(before ?? "");
      await page.getByRole("button", { name: "Apply the plan: dp=2, tp=2, pp=2" }).click();
      await plan.settle();
      await expect(page.getByTestId("mesh-axis-pp")).toBeVisible();
      await page.keyboard.press("Escape");
      const after = await plan.program();
      expect(after).toContain("Mesh(dp=2, tp=2, pp=2,");
      expect(after).toContain("h = matmul(x, w1)  # columns");
      for (const label of ["dp=2, tp=2, pp=2", "dp=8"]) {
        await page.getByRole("button", { name: `Undo: Plan on mesh ${label}` }).click();
        await plan.settle();
      }
      expect(await plan.program()).toBe(slow);
      expect(noise).toEqual([]);
    },

    "a mark is reached, told and applied by keys": async ({ page }) => {
      const plan = await opened(page);
      await surveyed(page, "limits");
      const marks = page.getByTestId("survey-mark");
      await expect(marks).not.toHaveCount(0);
      const last = marks.last();
      await last.focus();
      const figure = page.getByTestId("survey-scatter");
      await expect(figure.locator("figcaption")).toContainText("on the fullest device");
      await page.keyboard.press("Enter");
      await plan.settle();
      await expect(status(page)).toContainText("Written into the text");
      await page.getByTestId("plan-undo").click();
      await plan.settle();
      await expect(marks.last()).toBeVisible();
    },

    "a mesh that the text's pins do not fit is told, and another number of devices counts": async ({
      page,
    }) => {
      await opened(page, `${slow}pin("tp")\n`);
      await page.getByText("Other meshes and memory").click();
      await surveyed(page, "meshes");
      await expect(page.getByText('pin("tp") keeps the axis tp at 4').first()).toBeVisible();
      await page.getByTestId("survey-devices").fill("4");
      await page.getByTestId("survey-meshes").click();
      await expect(page.getByTestId("survey-progress")).toHaveCount(0);
      await expect(
        page.getByRole("button", { name: "Apply the plan: tp=4" }).first(),
      ).toBeVisible();
      await page.getByTestId("survey-devices").fill("none");
      await expect(page.getByTestId("survey-meshes")).toBeDisabled();
    },

    "values are slid: the plan is found again, and the text changes with Apply alone": async ({
      page,
    }) => {
      const plan = await opened(page);
      await page.getByText("What if", { exact: true }).click();
      await page.getByTestId("slide-links").focus();
      for (let press = 0; press < 6; press += 1) await page.keyboard.press("ArrowLeft");
      await expect(page.getByTestId("plan-tried")).toContainText("links 1/8× as fast");
      await isFound(page);
      await expect(page.getByTestId("plan-as-named")).toHaveCount(0);
      await page.getByTestId("slide-batch").focus();
      await page.keyboard.press("ArrowRight");
      await expect(page.getByTestId("plan-tried")).toContainText("batch 16");
      await isFound(page);
      await expect(page.getByTestId("plan-beside")).toContainText("The plan before took");
      await page.getByTestId("plan-apply").click();
      await plan.settle();
      await page.keyboard.press("Escape");
      const applied = await plan.program();
      expect(applied).toContain("batch = 16\n");
      expect(applied).toContain('"tp": {"bandwidth": 56.25e9}');
      expect(applied).toContain("h = matmul(x, w1)  # columns");
      await page.getByRole("button", { name: /^Undo: Plan of/ }).click();
      await plan.settle();
      expect(await plan.program()).toBe(slow);
    },

    "progress is told at once, and who stops a search keeps the best plan so far": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(address(layers(40)));
      await page.getByTestId("plan-start").click();
      await expect(status(page)).toHaveAttribute("data-status", "searching", { timeout: 1_500 });
      // Under a limit, the first plan that fits is followed by many that might be faster.
      await page.getByTestId("plan-memory-limit").fill("5");
      await page.keyboard.press("Enter");
      await expect(status(page).getByRole("progressbar")).toBeVisible();
      // Another press is handled while the search goes on.
      await page.getByText("What if", { exact: true }).click();
      await expect(page.getByTestId("slide-memory")).toBeVisible();
      await expect(status(page)).toHaveAttribute("data-status", "searching");
      await expect(page.getByText("Best so far")).toBeVisible({ timeout: 60_000 });
      await page.getByTestId("plan-cancel").click();
      await expect(status(page)).toHaveAttribute("data-status", "done", { timeout: 1_500 });
      await expect(status(page)).toContainText("Stopped before the proof");
      expect(Number(await status(page).getAttribute("data-gap"))).toBeGreaterThanOrEqual(0);
      await page.getByTestId("plan-apply").click();
      await plan.settle();
      await expect(status(page)).toContainText("Written into the text");
    },

    "a pin is a button beside the tensor, and what an applied plan wrote is marked as planned":
      async ({ page }) => {
        const plan = await opened(page);
        await page.getByTestId("plan-apply").click();
        await plan.settle();
        await page.keyboard.press("Escape");
        const card = page.getByTestId("operator-h");
        await expect(card.locator(".status")).toHaveText("planned");
        await expect(card).toHaveAccessibleName(/planned/);
        await card.click();
        const inspector = page.getByRole("region", { name: "Tensor h" });
        await expect(inspector.locator(".status").first()).toHaveText("planned");
        const pin = page.getByTestId("pin-tensor");
        await pin.focus();
        await page.keyboard.press("Enter");
        await plan.settle();
        await expect(card.getByText("pinned")).toBeVisible();
        await expect(card.locator(".status")).toHaveText("planned");
        expect(await plan.program()).toContain("pin(h)");
        await inspector.getByTestId("dim-h-0").focus();
        await page.keyboard.press("0");
        await plan.settle();
        await expect(card.locator(".status")).toHaveText("set");
        await page.getByRole("button", { name: "Unpin h" }).click();
        await plan.settle();
        await expect(card.getByText("pinned")).toHaveCount(0);
        expect(await plan.program()).not.toContain("pin(");
      },
  }),
);

test("plan, pin a weight, plan again, tighten, slide, compare with the hand's plan, undo", async ({
  page,
}) => {
  test.slow();
  const plan = planPage(page);
  await plan.open("/#example=megatron-mlp");
  const hand = (await page.getByTestId("hud-time").getByRole("button").first().textContent()) ?? "";
  expect(hand).toMatch(/^\d[\d.]* ms$/);
  const before = await plan.program();
  await page.getByTestId("tensor-w2").click();
  await page.getByRole("button", { name: /^Pin w2/ }).click();
  await plan.settle();
  await page.getByTestId("plan-start").click();
  await isFound(page);
  await expect(status(page)).toContainText("Pinned: w2");
  await page.getByTestId("plan-memory-limit").fill("0.05");
  await page.keyboard.press("Enter");
  await expect(status(page)).toHaveAttribute("data-status", "infeasible");
  await expect(status(page)).toContainText("No plan fits into 50.0 MB per device");
  await page.getByTestId("plan-raise").click();
  await isFound(page);
  await page.getByText("What if", { exact: true }).click();
  await page.getByTestId("slide-memory").focus();
  await page.keyboard.press("End");
  await expect(page.getByTestId("plan-memory-limit")).toHaveValue("40");
  await isFound(page);
  await page.getByTestId("slide-links").focus();
  for (let press = 0; press < 4; press += 1) await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("plan-tried")).toContainText("links 4× as fast");
  await isFound(page);
  await expect(page.getByTestId("hud-time")).toContainText(hand);
  await surveyed(page, "meshes");
  const own = page.getByRole("row", { name: /^Your plan/ }).first();
  await expect(own).toBeVisible();
  await page.getByTestId("survey-mark").first().focus();
  await page.keyboard.press("Enter");
  await plan.settle();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("hud-time")).not.toContainText(hand);
  await page.getByRole("button", { name: /^Undo: Plan on mesh/ }).click();
  await plan.settle();
  await page.getByRole("button", { name: "Undo: Pin w2" }).click();
  await plan.settle();
  expect(await plan.program()).toBe(before);
});
