import { expect, test } from "@playwright/test";
import { findingsIn } from "./page-states.ts";
import { watchNoise } from "./plan-page.ts";
import { addressOf, runPage } from "./run-page.ts";

/** A GPT of published size, far larger than a page can compute. */
const gpt = `import torch
import torch.nn as nn
import torch.nn.functional as F
mesh = Mesh(dp=2, tp=4)
class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.proj = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.up, self.down = nn.Linear(d, 4 * d, bias=False), nn.Linear(4 * d, d, bias=False)
    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.ln1(x)).split(d, dim=2)
        q, k, v = (each.view(b, t, self.h, d // self.h).transpose(1, 2) for each in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.ln2(x))))
class GPT(nn.Module):
    def __init__(self, v, d, layers, h):
        super().__init__()
        self.wte = nn.Embedding(v, d)
        self.blocks = nn.ModuleList(Block(d, h) for _ in range(layers))
        self.head = nn.Linear(d, v, bias=False)
    def forward(self, i):
        x = self.wte(i)
        for block in self.blocks:
            x = block(x)
        return self.head(x)
gpt = GPT(50304, 2048, 24, 16)
logits = gpt(Tensor((64, 2048), "i64"))
strategy("blocks[*].up", n="tp")
strategy("blocks[*].down", k="tp")
`;

test("a GPT of 24 layers runs on what fits, and says of how much of it that is", async ({
  page,
}) => {
  const noise = watchNoise(page);
  const plan = runPage(page);
  await plan.open(addressOf(gpt));
  await plan.run();
  const sentence =
    /Equal at 2 of 24 layers, width \d+ of 2,048, .*cut alike; every one of the \d+ kinds of step was run: \d+ tensors, 8 devices, bit for bit(?: on words of 32 bits)?\./;
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(plan.verdict).toContainText(sentence);
  await test.step("all of it is a press away, with what it takes", async () => {
    await expect(page.getByTestId("run-whole")).toBeDisabled();
    await expect(plan.verdict).toContainText(/operations, .+B, estimated .+; a page has no room/);
  });
  await test.step("who listens hears it, and nothing hinders access", async () => {
    await expect(page.getByTestId("status")).toContainText(sentence);
    expect(await findingsIn(page, "[data-testid=run-verdict]")).toEqual([]);
  });

  await test.step("a fault in a layer that was left out is put into one like it, and found", async () => {
    await plan.details();
    const collective = page.getByLabel("Collective");
    await collective.selectOption({ index: 20 });
    await page.getByLabel("Fault").selectOption("swap");
    await expect(page.getByTestId("run-invisible")).toContainText(
      "It cannot show here: a sum is the same in every order.",
    );
    await page.getByRole("button", { name: "Leave out instead" }).click();
    await expect(page.getByTestId("run-invisible")).toHaveCount(0);
    await page.getByTestId("run-broken").click();
    await expect(plan.verdict).toHaveAttribute("data-verdict", "different", { timeout: 30_000 });
    await expect(plan.verdict).toContainText(
      /Without this all-reduce, device \d has .+ It was run at 2 of/,
    );
    await expect(page.getByTestId("run-break")).toContainText("First wrong in step");
  });
  expect(noise).toEqual([]);
});

test("a GPT of 24 layers from opening to verdict by keys alone, and nothing of it is refused", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(gpt));
  await page.getByTestId("run-preview").focus();
  await page.keyboard.press("Enter");
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal", { timeout: 30_000 });
  await expect(page.getByTestId("run-preview")).toBeFocused();
  const read = page.locator("[aria-live=polite][data-testid=status]");
  await expect(read).toContainText(
    /^Equal at 2 of 24 layers, .* every one of the \d+ kinds of step/,
  );
  await expect(read).not.toContainText(/cannot|refused|too large/);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a GPT of 24 layers runs with a tap, and its verdict is read whole", async ({ page }) => {
    const plan = runPage(page);
    await plan.open(addressOf(gpt));
    await page.getByRole("tab", { name: "Run" }).tap();
    await page.getByTestId("run-again").or(page.getByTestId("run-preview")).first().tap();
    await expect(plan.verdict).toHaveAttribute("data-verdict", "equal", { timeout: 30_000 });
    const line = plan.verdict.locator(".run-line");
    await expect(line).toContainText("Equal at 2 of 24 layers");
    const box = await line.boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 390).toBe(true);
  });
});

test("beside the whole step of a training program the verdict is in sight too", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(`${gpt}train(logits)\n`));
  await expect(page.getByRole("region", { name: "One step", exact: true })).toBeVisible();
  await plan.run();
  await expect(plan.verdict).toBeInViewport();
  await expect(plan.verdict).toContainText("of 24 layers");
});
