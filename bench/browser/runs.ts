import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { onFreshPage, type Site, settle } from "./page.ts";
import { answered, type Press } from "./press.ts";
import { rounds, type Timing } from "./timing.ts";

const systemChromium = "/usr/bin/chromium";

/** WebGPU in software, without a window. */
const flags = ["--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

/** A block of GPT on 64 devices. */
const gpt = `mesh = Mesh(dp=8, tp=8)
x = Tensor((16, 8, 64))
g1 = Parameter((64,))
wq = Parameter((64, 64))
wk = Parameter((64, 64))
wv = Parameter((64, 64))
wo = Parameter((64, 64))
g2 = Parameter((64,))
wi = Parameter((64, 256))
wd = Parameter((256, 64))
n = layer_norm(x, g1)
q = reshape(matmul(n, wq), shape=(16, 8, 8, 8))
k = reshape(matmul(n, wk), shape=(16, 8, 8, 8))
v = reshape(matmul(n, wv), shape=(16, 8, 8, 8))
a = attention(permute(q, (0, 2, 1, 3)), permute(k, (0, 2, 1, 3)), permute(v, (0, 2, 1, 3)), is_causal=True)
m = reshape(permute(a, (0, 2, 1, 3)), shape=(16, 8, 64))
h = add(x, matmul(m, wo))
u = gelu(matmul(layer_norm(h, g2), wi))
y = add(h, matmul(u, wd))
strategy("q", b="dp")
strategy(n, a="dp")
strategy(u, a="dp", c="tp")
strategy(y, a="dp")
`;

const run: Press = {
  button: '[data-testid="run-preview"]',
  answer: '[data-testid="run-verdict"][data-verdict="equal"]',
};

/** Nothing is shown of a run that was called off. */
const cancel: Press = {
  button: run.button,
  answer: 'body:not(:has([data-testid="run-verdict"]))',
};

/** What a person waits for when a program runs on the GPU: its verdict, or the end of what is cancelled. */
export async function* runs({ address }: Site): AsyncGenerator<Timing> {
  const browser = await chromium.launch({
    ...(existsSync(systemChromium) && { executablePath: systemChromium }),
    args: flags,
  });
  const [whole, cancelled]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await onFreshPage({ browser, address }, { program: gpt }, async (page) => {
        await settle(page);
        whole.push(await answered(page, run));
        const button = page.locator(run.button);
        await button.click();
        await button.getByText("Cancel").waitFor();
        cancelled.push(await answered(page, cancel));
      });
    }
  } finally {
    await browser.close();
  }
  yield {
    name: "browser: run, a block of GPT on 64 devices",
    unit: "ms",
    aim: 20_000,
    figures: whole,
  };
  yield { name: "browser: run, cancel", unit: "ms", aim: 300, figures: cancelled };
}
