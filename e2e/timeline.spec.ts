import { expect, type Locator, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { planPage, watchNoise } from "./plan-page.ts";

/** A GPT of 24 layers, trained over 8 × 8 devices, with weights gathered as they are needed. */
const gpt = `import torch.nn as nn
import torch.nn.functional as F
mesh = Mesh(dp=8, tp=8, hardware="8x8xH100")
class Attention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.qkv, self.proj = h, nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.h, -1).transpose(1, 2) for z in self.qkv(x).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(b, t, d))
class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.ln1, self.attn, self.ln2 = nn.LayerNorm(d), Attention(d, h), nn.LayerNorm(d)
        self.fc, self.out = nn.Linear(d, 4 * d, bias=False), nn.Linear(4 * d, d, bias=False)
    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.out(F.gelu(self.fc(self.ln2(x))))
class GPT(nn.Module):
    def __init__(self, v, d, n, h):
        super().__init__()
        self.wte, self.head = nn.Embedding(v, d), nn.Linear(d, v, bias=False)
        self.blocks = nn.ModuleList(Block(d, h) for _ in range(n))
    def forward(self, i):
        x = self.wte(i)
        for block in self.blocks:
            x = block(x)
        return self.head(x)
ids = Tensor((64, 2048), "int64")
logits = GPT(50304, 2048, 24, 16).to(torch.bfloat16)(ids)
loss = F.cross_entropy(logits.float().view(-1, 50304), ids.view(-1))
train(loss, optimizer="adamw", zero=3)
place(ids, layout("dp", "None"))
strategy("blocks[*].linear_3", n="tp")
strategy("blocks[*].linear_4", k="tp")
`;
const address = `/#src=${encodeURIComponent(gpt)}`;

/** Seconds of a lane in one colour, from the table behind the drawing. */
const secondsOf = async (page: Page, paint: string): Promise<number> => {
  const row = page
    .getByTestId("timeline-table")
    .locator(`[data-lane=compute][data-paint=${paint}]`);
  return Number(await row.getAttribute("data-seconds"));
};

const momentOf = async (timeline: Locator): Promise<number> =>
  Number(await timeline.getAttribute("data-at"));

/** A place on the drawing, as a share of its width. */
const pointOn = async (plot: Locator, share: number) => {
  const box = await plot.boundingBox();
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width * share, y: y + height / 4 };
};

test(
  "where the time of a step goes",
  onOnePage({
    "a trained GPT of 24 layers is first seen in time: read, zoomed and selected by mouse": async ({
      page,
    }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.openAnew(address);
      const timeline = page.getByTestId("timeline");
      await expect(page.getByRole("tab", { name: "One step" })).toHaveAttribute(
        "aria-selected",
        "true",
      );
      const plot = timeline.getByRole("slider", { name: "One step in time" });
      const readout = page.getByTestId("timeline-readout");
      await test.step("it adds up to the time of the cost bar", async () => {
        const seconds = Number(await page.getByTestId("hud-time").getAttribute("data-seconds"));
        const parts = await Promise.all(
          ["forward", "backward", "update", "exposed"].map((paint) => secondsOf(page, paint)),
        );
        const sum = parts.reduce((all, part) => all + part, 0);
        expect(sum / seconds).toBeCloseTo(1, 6);
      });
      await test.step("it is read at the peak first, then under the pointer", async () => {
        await expect(readout).toContainText("the peak");
        const { x, y } = await pointOn(plot, 0.3);
        await page.mouse.move(x, y);
        await expect(readout).not.toContainText("the peak");
        await expect(readout).toContainText(/compute (waits for )?.+ [\d.]+ [mµ]s/u);
      });
      await test.step("the wheel zooms about the pointer", async () => {
        const before = await momentOf(timeline);
        await page.mouse.wheel(0, -600);
        await expect(page.getByRole("button", { name: "Show the whole step" })).toBeEnabled();
        expect(await momentOf(timeline)).toBeCloseTo(before, 9);
      });
      await test.step("a press selects what runs, and the step stays in sight", async () => {
        const { x, y } = await pointOn(plot, 0.5);
        await page.mouse.click(x, y);
        await plan.settle();
        await expect(plot).toBeFocused();
        await expect(timeline).toBeVisible();
        await page.getByRole("button", { name: "Show the whole step" }).click();
      });
      await test.step("the steps are beside it, and a redistribution asked for brings them", async () => {
        await page.getByRole("tab", { name: "Steps", exact: true }).click();
        await expect(timeline).toHaveCount(0);
        await expect(page.getByTestId("step-next")).toBeVisible();
      });
      expect(noise).toEqual([]);
    },

    "the same by keys: from operator to operator, closer, and to the operator": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(address);
      await page.getByRole("tab", { name: "Steps", exact: true }).focus();
      await page.keyboard.press("ArrowRight");
      const timeline = page.getByTestId("timeline");
      const plot = timeline.getByRole("slider", { name: "One step in time" });
      await plot.focus();
      await page.keyboard.press("Home");
      expect(await momentOf(timeline)).toBe(0);
      await page.keyboard.press("ArrowRight");
      const first = await momentOf(timeline);
      expect(first).toBeGreaterThan(0);
      await page.keyboard.press("+");
      await page.keyboard.press("ArrowRight");
      expect(await momentOf(timeline)).toBeGreaterThan(first);
      await expect(plot).toHaveAttribute("aria-valuetext", /: compute.+ held/u);
      await page.keyboard.press("Enter");
      await plan.settle();
      await page.keyboard.press("0");
      await expect(page.getByRole("button", { name: "Show the whole step" })).toBeDisabled();
    },

    "time, bytes and memory by module add up, and a module lights up on the canvas": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(address);
      const section = page.getByTestId("module-times");
      const root = section.locator('[data-module=""]');
      const amountOf = async (cell: Locator) => Number(await cell.getAttribute("data-amount"));
      const seconds = Number(await page.getByTestId("hud-time").getAttribute("data-seconds"));
      expect((await amountOf(root)) / seconds).toBeCloseTo(1, 6);
      const words = page.getByTestId("module-words");
      await root.focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await expect(words).toContainText(/ms.+exposed/u);
      await page.getByRole("radio", { name: "Graph" }).check({ force: true });
      await plan.settle();
      await section.locator('[data-module="blocks[*].attn"]').hover();
      await expect(page.locator(".light.on, .light.off").first()).toBeAttached();
      await page.getByRole("radio", { name: "Rows" }).check({ force: true });
      await section.getByText("bytes", { exact: true }).click();
      const bytes = await plan.number("hud-comm");
      expect((await amountOf(root)) / bytes).toBeCloseTo(1, 6);
      await section.getByText("memory", { exact: true }).click();
      const peak = await plan.number("hud-memory");
      expect((await amountOf(root)) / peak).toBeCloseTo(1, 6);
      await section.getByRole("heading", { name: "Memory by module" }).click();
      await expect(root).toBeHidden();
    },

    "the whole list is sorted by any figure": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(address);
      await page.getByTestId("hud-memory").getByRole("button").first().click();
      const items = page.getByTestId("items");
      await expect(items.getByRole("columnheader", { name: "memory" })).toHaveAttribute(
        "aria-sort",
        "descending",
      );
      await items.getByRole("button", { name: "operations" }).click();
      await expect(items.locator("tbody tr").first()).toContainText("linear");
      await items.getByRole("button", { name: /^All/u }).click();
      expect(await items.locator("tbody tr").count()).toBeGreaterThan(5);
    },

    "a waterfall leads from the baseline to this plan, without a gap": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByRole("button", { name: "Pin this plan as the baseline" }).click();
      const before = await plan.number("hud-comm");
      await page.getByTestId("dim-w2-0").focus();
      await page.keyboard.press("2");
      await plan.settle();
      const after = await plan.number("hud-comm");
      await page.getByTestId("hud-comm").getByRole("button").click();
      const fall = page.getByTestId("waterfall");
      await expect(fall).toHaveAttribute("data-before", String(before));
      await expect(fall).toHaveAttribute("data-after", String(after));
      const steps = await fall
        .locator("tr[data-from]")
        .evaluateAll((rows) =>
          rows.map((row) => [row.getAttribute("data-from"), row.getAttribute("data-to")]),
        );
      const ends = steps.map(([, to]) => to);
      expect(steps.map(([from]) => from)).toEqual([String(before), ...ends.slice(0, -1)]);
      expect(ends.at(-1)).toBe(String(after));
      await expect(fall).toContainText("all-gather");
    },
  }),
);

test.describe("by touch", () => {
  test.use({ viewport: { width: 834, height: 1112 }, hasTouch: true });

  test("on a tablet a tap reads a moment and the button beside it selects what runs", async ({
    page,
  }) => {
    const plan = planPage(page);
    await plan.openAnew(address);
    await page.getByRole("tab", { name: "Costs" }).tap();
    const timeline = page.getByTestId("timeline");
    const plot = timeline.getByRole("slider", { name: "One step in time" });
    await plot.scrollIntoViewIfNeeded();
    await plot.tap({ position: { x: 300, y: 30 } });
    await expect(page.getByTestId("timeline-readout")).toContainText(/[\d.]+ [mµ]s/u);
    await page.getByRole("button", { name: "Show less of the step" }).tap();
    await page.getByRole("button", { name: "Select it" }).tap();
    await plan.settle();
    await page.getByTestId("module-times").locator('[data-module="blocks[*].attn"]').tap();
    await expect(page.getByTestId("module-words")).toContainText("attn");
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the step, its modules and the list stand in the costs, and nothing scrolls sideways", async ({
    page,
  }) => {
    const plan = planPage(page);
    await plan.openAnew(address);
    await page.getByRole("tab", { name: "Costs" }).tap();
    await expect(page.getByTestId("timeline")).toBeVisible();
    await expect(page.getByTestId("module-times").locator('[data-module=""]')).toBeVisible();
    await page.getByTestId("items").getByText("bytes", { exact: true }).tap();
    await expect(page.getByTestId("items").locator("tbody tr").first()).toContainText("all-");
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isWide).toBe(false);
  });
});
