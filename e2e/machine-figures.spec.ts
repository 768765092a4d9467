import { expect, type Page, test } from "@playwright/test";
import { onOnePage, perCase } from "./one-page.ts";
import { findingsIn } from "./page-states.ts";
import { planPage, watchNoise } from "./plan-page.ts";

const text = `mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((2048, 4096), "bf16")
w = Parameter((4096, 4096), "bf16")
h = matmul(x, w)
strategy(h, k="tp")
`;

async function opened(page: Page) {
  const plan = planPage(page);
  await plan.open(`/#src=${encodeURIComponent(text)}`);
  return plan;
}

const seconds = async (page: Page) =>
  Number(await page.getByTestId("hud-time").getAttribute("data-seconds"));

const field = (page: Page, name: RegExp) =>
  page.getByTestId("machine-figures").getByRole("textbox", { name });

test(
  "figures of the machine",
  onOnePage({
    "figures of the machine are changed as one edit of the text, which prices the plan": async ({
      page,
    }) => {
      const noise = watchNoise(page);
      const plan = await opened(page);
      const before = await seconds(page);
      await page.getByTestId("machine").click();
      await field(page, /^Bandwidth of tp/).fill("50");
      await page.getByRole("combobox", { name: "Kind of link of tp" }).selectOption("ring");
      await field(page, /^Peak/).fill("800");
      await page.keyboard.press("Enter");
      await plan.settle();
      await expect(page.getByTestId("machine")).toContainText("8×H100, changed");
      expect(await seconds(page)).toBeGreaterThan(before);
      await page.keyboard.press("Escape");
      expect(await plan.program()).toContain(
        'mesh = Mesh(dp=2, tp=4, hardware="8xH100", chip={"flops": 800e12}, links={"tp": {"bandwidth": 50e9, "fabric": "ring"}})\n',
      );
      await page.getByRole("button", { name: "Undo: Set the figures of the machine" }).click();
      await plan.settle();
      expect(await plan.program()).toBe(text);
      expect(await seconds(page)).toBe(before);
      expect(noise).toEqual([]);
    },

    "a wrong figure is said at once, and what was changed goes back to the machine's own": async ({
      page,
    }) => {
      const plan = await opened(page);
      await page.getByTestId("machine").click();
      await field(page, /^Memory, GB/).fill("none");
      await expect(page.getByTestId("machine-figures")).toContainText(
        "The memory is a number of GB above 0.",
      );
      const write = page.getByRole("button", { name: "Write the figures" });
      await expect(write).toBeDisabled();
      await field(page, /^Memory, GB/).fill("24");
      await write.press("Enter");
      await plan.settle();
      await expect(page.getByTestId("hud-memory")).toContainText("of 24.0 GB");
      await page.getByRole("button", { name: /^Back to the machine/ }).click();
      await plan.settle();
      await expect(page.getByTestId("hud-memory")).toContainText("of 80.0 GB");
      await page.keyboard.press("Escape");
      expect(await plan.program()).toBe(text);
    },

    ...perCase(
      [
        ["a desk", 1440, 900],
        ["a phone", 390, 844],
      ] as const,
      ([name]) => `the figures on ${name}, in both themes and without faults of access`,
      async ({ page }, [, width, height]) => {
        await page.setViewportSize({ width, height });
        await opened(page);
        if (width < 600) await page.getByRole("tab", { name: "Mesh" }).click();
        await page.getByTestId("machine").click();
        await expect(page.getByTestId("machine-figures")).toBeVisible();
        expect(await findingsIn(page, ".machine-pop")).toEqual([]);
      },
    ),
  }),
);
