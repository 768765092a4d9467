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

const own =
  'hardware={"name": "Mine", "chip": "8xH100", "flops": 100e12, "launch": 20e-6, "peaks": {"f8": 300e12}, "efficiencies": {"matmul": 500e-3}}';

async function opened(page: Page, program = text) {
  const plan = planPage(page);
  await plan.open(`/#src=${encodeURIComponent(program)}`);
  return plan;
}

const seconds = async (page: Page) =>
  Number(await page.getByTestId("hud-time").getAttribute("data-seconds"));

const figure = (page: Page, key: string) => page.getByTestId(`figure-${key}`);

test(
  "a device of one's own",
  onOnePage({
    "is typed into the form by keyboard, stands in the text, prices the plan, and travels in a link":
      async ({ page }) => {
        const noise = watchNoise(page);
        const plan = await opened(page);
        const before = await seconds(page);
        await page.getByTestId("machine").press("Enter");
        await expect(page.getByTestId("basis-flops")).toHaveText("sheet");
        await figure(page, "name").pressSequentially("Mine");
        await figure(page, "flops").fill("100");
        await page.getByTestId("machine-more").locator("summary").press("Enter");
        await expect(page.getByTestId("basis-launch")).toHaveText("measured");
        await figure(page, "f8").fill("300");
        await figure(page, "launch").fill("20");
        await figure(page, "matmul reach").fill("50");
        await page.keyboard.press("Enter");
        await plan.settle();
        await expect(page.getByTestId("machine")).toContainText("Mine");
        await expect(page.getByTestId("basis-flops")).toHaveText("yours");
        await expect(page.getByTestId("basis-memory")).toHaveText("sheet");
        const after = await seconds(page);
        expect(after).toBeGreaterThan(before);
        await page.keyboard.press("Escape");
        expect(await plan.program()).toBe(text.replace('hardware="8xH100"', own));

        await page.getByTestId("share-link").click();
        const link = page.getByTestId("share-url");
        await expect(link).toHaveValue(/#p=/);
        const address = await link.inputValue();
        await page.keyboard.press("Escape");
        await plan.openAnew(address);
        expect(await plan.program()).toContain(own);
        expect(await seconds(page)).toBe(after);
        await expect(page.getByTestId("machine")).toContainText("Mine");
        expect(noise).toEqual([]);
      },

    "goes back to the machine that it began from, as one edit": async ({ page }) => {
      const plan = await opened(page, text.replace('hardware="8xH100"', own));
      await page.getByTestId("machine").click();
      await expect(figure(page, "name")).toHaveValue("Mine");
      await page.getByRole("button", { name: /^Back to the machine/ }).click();
      await plan.settle();
      await page.keyboard.press("Escape");
      expect(await plan.program()).toBe(text);
    },

    "says where each figure is from, and what is wrong with one": async ({ page }) => {
      await opened(page);
      await page.getByTestId("machine").click();
      await page.getByTestId("machine-more").locator("summary").click();
      await expect(page.getByTestId("machine-sources")).toContainText("NVIDIA H100 data sheet");
      await figure(page, "node").fill("2.5");
      await expect(page.getByTestId("machine-figures")).toContainText(
        "The devices of a node are a whole number, 1 or more.",
      );
      await expect(page.getByRole("button", { name: "Write the figures" })).toBeDisabled();
    },

    "written wrongly in the text is an error that its fix mends": async ({ page }) => {
      const plan = await opened(page, text.replace('"8xH100"', '{"chip": "8xH100", "flop": 1e15}'));
      await expect(page.getByTestId("problems")).toContainText("hardware takes chip, name");
      await page.getByTestId("problems").getByRole("button", { name: 'Write "flops"' }).click();
      await plan.settle();
      expect(await plan.program()).toContain('hardware={"chip": "8xH100", "flops": 1e15}');
      await expect(page.getByTestId("machine")).toContainText("8×H100, changed");
    },

    ...perCase(
      [
        ["a desk", 1440, 900],
        ["a phone", 390, 844],
      ] as const,
      ([name]) => `the whole form on ${name}, in both themes and without faults of access`,
      async ({ page }, [, width, height]) => {
        await page.setViewportSize({ width, height });
        await opened(page);
        if (width < 600) await page.getByRole("tab", { name: "Mesh" }).click();
        await page.getByTestId("machine").click();
        await page.getByTestId("machine-more").locator("summary").click();
        await expect(figure(page, "memory reach")).toBeVisible();
        expect(await findingsIn(page, ".machine-pop")).toEqual([]);
      },
    ),
  }),
);
