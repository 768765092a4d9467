import { expect, test } from "@playwright/test";
import { dropFile } from "./drop-file.ts";
import { findingsIn } from "./page-states.ts";
import { watchNoise } from "./plan-page.ts";
import { addressOf, runPage } from "./run-page.ts";

const net = `import torch.nn as nn
mesh = Mesh(dp=2, tp=2)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))
        self.head = nn.Linear(4, 6, bias=False)
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x)
y = Net()(Tensor((8, 4)))
strategy("y", k="tp")
`;

interface Stored {
  readonly dtype: "F32" | "BF16";
  readonly shape: readonly number[];
}

/** safetensors file: a header, then the numbers of each tensor in turn. */
function safetensors(tensors: Readonly<Record<string, Stored>>): Buffer {
  const parts = Object.values(tensors).map(({ dtype, shape }) => {
    const cells = shape.reduce((product, size) => product * size, 1);
    const numbers = Float32Array.from({ length: cells }, (_, at) => ((at * 37) % 17) / 8 - 1);
    const all = Buffer.from(numbers.buffer);
    return dtype === "F32" ? all : Buffer.from(all.filter((_, at) => at % 4 >= 2));
  });
  let end = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, each], at) => {
      const from = end;
      end += parts[at]?.length ?? 0;
      return [name, { ...each, data_offsets: [from, end] }];
    }),
  );
  const text = Buffer.from(JSON.stringify({ __metadata__: { format: "pt" }, ...header }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...parts]);
}

const whole = {
  "model.layers.0.weight": { dtype: "F32", shape: [4, 4] },
  "model.layers.0.bias": { dtype: "F32", shape: [4] },
  "model.layers.1.weight": { dtype: "BF16", shape: [4, 4] },
  "model.layers.1.bias": { dtype: "BF16", shape: [4] },
  "model.head.weight": { dtype: "F32", shape: [6, 4] },
} as const;

test("weights that are dropped on the page are those of the run, and the verdict says so", async ({
  page,
}) => {
  const noise = watchNoise(page);
  const plan = runPage(page);
  await plan.open(addressOf(net));
  await dropFile(page, "net.safetensors", "application/octet-stream", safetensors(whole));
  await expect(page.getByTestId("weights-name")).toContainText("net.safetensors");
  await page.getByTestId("run-again").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(plan.verdict).toContainText(
    "5 of 5 parameters of net.safetensors, within the rounding of floats",
  );
  expect(await findingsIn(page, "[data-testid=run-panel]")).toEqual([]);
  expect(noise).toEqual([]);
});

test("by the keyboard, what has another shape or no name here is said in sentences", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(net));
  await plan.run();
  await plan.details();
  const button = page.getByRole("button", { name: "Weights of a file" });
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button.press("Enter")]);
  const { "model.head.weight": _, ...others } = whole;
  const turned = { ...others, "model.head.weight": { dtype: "F32", shape: [4, 6] } } as const;
  const buffer = safetensors({ ...turned, "model.norm.weight": { dtype: "F32", shape: [4] } });
  await chooser.setFiles({ name: "turned.safetensors", mimeType: "", buffer });
  await page.getByTestId("run-again").click();
  await expect(plan.verdict).toContainText("4 of 5 parameters of turned.safetensors");
  await expect(plan.verdict).toContainText(
    '"model.head.weight" is 4×6 in the file, which is its transpose, and "head.weight" is 6×4 here: it is drawn from the seed',
  );
  await expect(plan.verdict).toContainText('is called "model.norm.weight"');
  await test.step("a file that is none is refused, with what is wrong with it", async () => {
    await dropFile(page, "none.safetensors", "", Buffer.from("this is a text of some length"));
    await page.getByTestId("run-again").click();
    await expect(plan.verdict).toHaveAttribute("data-verdict", "refused");
    await expect(plan.verdict).toContainText("the file with weights cannot be read");
  });
  await test.step("drawn numbers come back", async () => {
    await page.getByRole("button", { name: "Draw them instead" }).click();
    await page.getByTestId("run-again").click();
    await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
    await expect(plan.verdict).not.toContainText("safetensors");
  });
});
