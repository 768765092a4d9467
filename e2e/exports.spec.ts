import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { dropFile } from "./drop-file.ts";
import { firstExample, onOnePage, perCase } from "./one-page.ts";
import { planPage, watchNoise } from "./plan-page.ts";

async function saved(page: Page, button: string): Promise<Buffer> {
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  return readFile(await (await waiting).path());
}

const draft = "mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\n";

/**
 * Registers a listener, so that the browser reports file choosers: one registered at the press may
 * be too late.
 */
function listen(page: Page): void {
  page.on("filechooser", () => {});
}

/** Chooses a file where a button asks for one. */
async function choose(page: Page, press: () => Promise<void>): Promise<void> {
  const asked = page.waitForEvent("filechooser");
  await press();
  const chooser = await asked;
  await chooser.setFiles({
    name: "plan.py",
    mimeType: "text/x-python",
    buffer: Buffer.from(draft),
  });
  await expect(page.getByTestId("tensor-y")).toBeVisible();
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a file is opened from the menu of the head", async ({ page }) => {
    listen(page);
    const plan = planPage(page);
    await plan.open();
    await page.getByRole("button", { name: "More" }).tap();
    await choose(page, () => page.getByRole("button", { name: "Open a file" }).tap());
  });
});

const ownModel = `import torch
import torch.nn as nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(16, 32, bias=False)
    def forward(self, x):
        return torch.relu(self.up(x))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block()])
    def forward(self, x):
        return self.blocks[0](x)
net = Net()
y = net(torch.randn(8, 16))
mesh = Mesh(tp=2)
place(net.blocks[0].up.weight, layout("tp", "None"))
`;

const twoLayers = `import torch
import torch.nn as nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(16, 32, bias=False)
        self.down = nn.Linear(32, 16, bias=False)
    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
net = Net()
y = net(torch.randn(8, 16))
train(y.mean())
mesh = Mesh(tp=2)
place("blocks[*].up.weight", layout("tp", "None"))
place("blocks[*].down.weight", layout("None", "tp"))
`;

const turned = `mesh = Mesh(x=2, y=2, devices=[2, 0, 3, 1])
x = Tensor((8, 4))
h = relu(x)
y = neg(h)
strategy(h, a=("x", "y"))
strategy(y, a=())
reshard(h, steps="dtensor")
`;

test(
  "a plan leaves as a picture, as text and as code, and comes back from a file",
  onOnePage({
    ...perCase(
      ["SVG", "PNG"] as const,
      (kind) => `a plan saved inside ${kind} opens again beside the draft`,
      async ({ page }, kind) => {
        const noise = watchNoise(page);
        const plan = planPage(page);
        await plan.open(firstExample);
        await page.getByTestId("share-link").click();
        const bytes = await saved(page, `Save ${kind}`);
        await page.keyboard.press("Escape");
        await plan.selectProgram();
        await plan.paste(draft);
        await dropFile(page, `picture.${kind.toLowerCase()}`, "", bytes);
        await expect(page.getByTestId("operator-h")).toBeVisible();
        await expect(page.getByRole("button", { name: "Two matmuls" })).toBeVisible();
        await page.goto("/");
        await plan.settle();
        expect(await plan.program()).toBe(draft);
        expect(noise).toEqual([]);
      },
    ),

    "a text file opens as a plan of its own, and a picture without a plan is refused": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await dropFile(page, "plan.py", "text/x-python", Buffer.from(draft));
      // The example that is shown until then also has an operator y.
      await expect(page.getByRole("button", { name: "plan.py" })).toBeVisible();
      await plan.settle();
      await expect(page.getByTestId("operator-y")).toBeVisible();
      await dropFile(page, "empty.svg", "image/svg+xml", Buffer.from("<svg></svg>"));
      await expect(page.getByTestId("refused-not-a-link")).toContainText("carries no plan");
      await page.getByRole("button", { name: "Open my draft" }).click();
      await expect(page.getByTestId("operator-h")).toBeVisible();
    },

    "the whole plan is saved with its words as text, and its walk as numbered files": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByTestId("share-link").click();
      const text = (await saved(page, "Save SVG")).toString();
      for (const words of ["project(x, w1)", "all-gather", "1.05 MB", "w2"]) {
        expect(text).toContain(words);
      }
      const zip = await saved(page, "Save all steps");
      expect(zip.subarray(0, 2).toString()).toBe("PK");
      for (const name of ["01-h-project-x-w1.svg", "02-all-gather-mp-of-h.svg"]) {
        expect(zip.includes(name)).toBe(true);
      }
      expect((await saved(page, "Save table")).toString()).toContain("| `h` | bf16 |");
      await test.step("everything that can be saved says so in one voice, and what the file is", async () => {
        const rows = page.getByRole("region", { name: "Save a picture" }).getByRole("button");
        await expect(rows).toHaveCount(9);
        for (const row of await rows.all()) {
          await expect(row).toHaveText(/^(?:Save|Copy) [A-Za-z ]+ \w[^.]+$/);
        }
      });
      await test.step("a saved drawing stands by itself, in the theme that was asked for", async () => {
        const section = page.getByRole("region", { name: "Save a picture" });
        await section.getByText("Dark", { exact: true }).click();
        await section.getByText("Tensor w2").click();
        const text = (await saved(page, "Save SVG")).toString();
        expect(text).toContain('fill="#16191d"');
        expect(text).not.toMatch(/var\(|class=|color-mix|oklab/);
        for (const [, id] of text.matchAll(/url\(#([\w-]+)\)/g))
          expect(text).toContain(`id="${id}"`);
        expect(text).toContain("w2 bf16 4096 × 1024 [k, f]");
      });
    },

    "a file is opened from the menu of plans, and from the palette by keyboard": async ({
      page,
    }) => {
      listen(page);
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByRole("button", { name: /^Two matmuls/ }).click();
      await choose(page, () => page.getByRole("button", { name: "Open a file" }).click());
      await page.goto("/");
      await plan.settle();
      await page.keyboard.press("Control+K");
      await page.getByTestId("palette-query").fill("open a file");
      await expect(page.getByRole("option").first()).toContainText("Open a file");
      await choose(page, () => page.keyboard.press("Enter"));
    },

    "a plan leaves as code for an engine, by copying or as files": async ({ page, context }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByTestId("export").click();
      const section = page.getByRole("region", { name: "Save the plan as code" });
      const code = section.getByRole("textbox", { name: "The code" });
      await expect(code).toHaveValue(/jax\.shard_map/);
      await expect(page.getByTestId("share-url")).toHaveCount(0);
      await section.getByText("PyTorch", { exact: true }).click();
      await expect(code).toHaveValue(/all_gather\(h, 1, groups\("mp"\)\)/);
      await section.getByText("DTensor", { exact: true }).click();
      await expect(code).toHaveValue(/h\.redistribute\(placements=\[/);
      await section.getByText("MindSpore", { exact: true }).click();
      await expect(code).toHaveValue(/ops\.MatMul\(\)\.shard\(/);
      await section.getByText("nnScaler", { exact: true }).click();
      await expect(code).toHaveValue(/\("", "project", 0\): \[\(0, 0, 2\), \(1, 1, 2\)\]/);
      await section.getByText("PyTorch", { exact: true }).click();
      await section.getByRole("button", { name: "Copy the code" }).click();
      await expect(section.getByRole("button", { name: "Copied the code" })).toBeVisible();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect((await saved(page, "Save code")).toString()).toBe(copied);
      expect((await saved(page, "Save launcher")).toString()).toContain("torchrun");
    },

    "a pasted module leaves as a policy of its own, by the paths of its layers": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste(ownModel);
      await plan.settle();
      await page.getByTestId("share-link").click();
      const section = page.getByRole("region", { name: "Save the plan as code" });
      await section.getByText("nnScaler policy", { exact: true }).click();
      const code = section.getByRole("textbox", { name: "The code" });
      await expect(code).toHaveValue(/\("blocks\.0\.up", "linear", 0\): \[\(1, 0, 2\)\]/);
      await expect(code).toHaveValue(/from model import Net {2}# adapt/);
      await section.getByText("PyTorch modules", { exact: true }).click();
      await expect(section).toContainText("no style makes it a DTensor");
      const before = await plan.program();
      await section.getByRole("button", { name: "Write the fastest plan that has words" }).click();
      await expect(code).toHaveValue(/def parallelize\(model, mesh\):/);
      await expect(section).toContainText("The plan has no words there: ");
      const [said = ""] =
        /^Not the plan of the text is written.*\n/mu.exec(await code.inputValue()) ?? [];
      const own = (await code.inputValue()).replace(said, "");
      await section.getByRole("button", { name: "Put this plan into the text" }).click();
      await expect(code).toHaveValue(own);
      expect(await plan.program()).not.toBe(before);
    },

    "a pasted module leaves as calls on its own class, as rules, and as arguments": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste(twoLayers);
      await plan.settle();
      await page.getByTestId("share-link").click();
      const section = page.getByRole("region", { name: "Save the plan as code" });
      await section.getByText("PyTorch modules", { exact: true }).click();
      const code = section.getByRole("textbox", { name: "The code" });
      await expect(code).toHaveValue(/"blocks\.\*\.up": ColwiseParallel\(\),/);
      const file = (await saved(page, "Save code")).toString();
      expect(file).toContain("def parallelize(model, mesh):");
      expect((await saved(page, "Save launcher")).toString()).toContain("train.py");
      await section.getByText("JAX rules", { exact: true }).click();
      await expect(code).toHaveValue(/blocks\[\._\]\\d\+\\\.up\\\.kernel", P\(None, "tp"\)/);
      await section.getByText("Launch arguments", { exact: true }).click();
      await expect(code).toHaveValue(/"autotp_size":2/);
    },

    "what DTensor would compute wrongly is warned of, and a rewriting takes the warning away":
      async ({ page }) => {
        const plan = planPage(page);
        await plan.open(firstExample);
        await plan.selectProgram();
        await plan.paste(turned);
        await plan.settle();
        const problems = page.getByTestId("problems");
        await expect(problems).toContainText("blocks land in wrong places");
        await page.getByTestId("share-link").click();
        const section = page.getByRole("region", { name: "Save the plan as code" });
        await expect(section.getByRole("note")).toHaveCount(0);
        await section.getByText("DTensor", { exact: true }).click();
        await expect(section.getByRole("note")).toContainText(
          "the file counts ranks along the mesh",
        );
        const code = section.getByRole("textbox", { name: "The code" });
        await expect(code).toHaveValue(/CUDA_VISIBLE_DEVICES=2,0,3,1/);
        await section.getByRole("button", { name: "Count devices up" }).click();
        await expect(section.getByRole("note")).toHaveCount(0);
        await expect(code).not.toHaveValue(/CUDA_VISIBLE_DEVICES/);
        await page.keyboard.press("Escape");
        await expect(problems).not.toContainText("blocks land in wrong places");
        expect(await plan.program()).toBe(turned.replace("2, 0, 3, 1", "0, 1, 2, 3"));
      },

    "a plan that an engine has no form for says why, in place of its code": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste('mesh = Mesh(d=4)\nx = Tensor((6, 4))\ny = relu(x)\nstrategy(y, a="d")\n');
      await plan.settle();
      await page.getByTestId("share-link").click();
      const section = page.getByRole("region", { name: "Save the plan as code" });
      await expect(section.getByRole("textbox", { name: "The code" })).toHaveValue(/range\(2, 4\)/);
      await section.getByText("MindSpore", { exact: true }).click();
      await expect(section.getByRole("alert")).toContainText("No code: x is cut unevenly: ");
      await expect(section.getByRole("textbox")).toHaveCount(0);
    },
  }),
);
