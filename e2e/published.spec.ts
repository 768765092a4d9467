import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { zipSync } from "fflate";
import { dropFile } from "./drop-file.ts";
import { findingsIn } from "./page-states.ts";
import { watchNoise } from "./plan-page.ts";
import { addressOf, runPage } from "./run-page.ts";

/** Published configuration of Llama 2 70B. */
const llama2 = {
  architectures: ["LlamaForCausalLM"],
  model_type: "llama",
  ...{ hidden_act: "silu", hidden_size: 8192, intermediate_size: 28672, vocab_size: 32000 },
  ...{ num_attention_heads: 64, num_hidden_layers: 80, num_key_value_heads: 8 },
  ...{ max_position_embeddings: 4096, rms_norm_eps: 1e-5, tie_word_embeddings: false },
  ...{ torch_dtype: "float16", quantization_config: { bits: 4 } },
};

const text = (value: unknown) => Buffer.from(JSON.stringify(value));

test("a dropped config.json becomes its model, with its parameters, and one undo leads back", async ({
  page,
}) => {
  const noise = watchNoise(page);
  const plan = runPage(page);
  await plan.open(addressOf("x = Tensor((8, 4))\ny = relu(x)\n"));
  await dropFile(page, "config.json", "application/json", text(llama2));
  const note = page.getByTestId("published-note");
  await expect(note).toContainText("Not modelled: quantization_config");
  await expect(page.getByTestId("published-parameters")).toHaveText("69.0 B parameters.");
  expect(await findingsIn(page, "[data-testid=published-note]")).toEqual([]);
  await test.step("batch, sequence and use write the program anew, as the same edit", async () => {
    await note.getByLabel("Batch").fill("8");
    await note.getByLabel("Batch").press("Enter");
    await note.getByText("Training step").click();
    await expect(page.locator(".cm-content, .view-lines").first()).toContainText("B, S = 8, 4096");
    await expect(page.getByTestId("published-parameters")).toHaveText("69.0 B parameters.");
  });
  await test.step("undo", async () => {
    await page.keyboard.press("Escape");
    await page.locator("body").press("ControlOrMeta+z");
    await expect(note).toHaveCount(0);
    await expect(page.locator(".cm-content, .view-lines").first()).toContainText("y = relu(x)");
  });
  expect(noise).toEqual([]);
});

test("a model that no text stands for is refused with the list of those that are known", async ({
  page,
}) => {
  await runPage(page).open(addressOf("x = Tensor((8, 4))\n"));
  await dropFile(page, "config.json", "application/json", text({ model_type: "unheard" }));
  await expect(page.getByTestId("status")).toContainText('there is no text for "unheard"');
  await expect(page.getByTestId("status")).toContainText("llama");
});

const recorded = (path: string) => readFileSync(`src/systems/published/${path}`);

test("StableHLO becomes a program on its own mesh, and what XLA made of it is laid beside the plan", async ({
  page,
}) => {
  const noise = watchNoise(page);
  await runPage(page).open(addressOf("x = Tensor((8, 4))\n"));
  const program = recorded("hlo/fixtures/tensor-parallel-bf16.mlir");
  await dropFile(page, "step.mlir", "text/plain", program);
  const note = page.getByTestId("published-note");
  await expect(note).toContainText("operations of StableHLO");
  await expect(page.locator(".cm-content, .view-lines").first()).toContainText(
    "mesh = Mesh(data=2, model=4)",
  );
  await dropFile(page, "step.hlo", "", recorded("hlo/fixtures/tensor-parallel-bf16.hlo"));
  await expect(note).toContainText("XLA runs 1 collectives in jit_mlp, on 8 devices");
  const table = page.getByTestId("xla-beside");
  await expect(table.getByRole("row", { name: "all-reduce 1 192 1 96" })).toBeVisible();
  await expect(table).toContainText("XLA moves it in f32, 192 bytes where ours are 96");
  expect(await findingsIn(page, "[data-testid=published-note]")).toEqual([]);
  expect(noise).toEqual([]);
});

test("an index of weights is held against the program; alone it is told what it lacks", async ({
  page,
}) => {
  const index = text({ metadata: { total_size: 64 }, weight_map: { "m.w": "a", "m.b": "a" } });
  await runPage(page).open(addressOf("x = Tensor((8, 4))\n"));
  await dropFile(page, "model.safetensors.index.json", "", index);
  await expect(page.getByTestId("status")).toContainText("open the model first");
  await runPage(page).open(addressOf("w = Parameter((4, 4))\ny = Tensor((8, 4)) @ w\n"));
  await dropFile(page, "model.safetensors.index.json", "", index);
  await expect(page.getByTestId("published-weights")).toContainText(
    '1 of 1 parameters fit. No parameter of the program is called "m.b"',
  );
});

test("a configuration that is pasted over the program becomes its model in one step", async ({
  page,
}) => {
  await runPage(page).open(addressOf("x = Tensor((8, 4))\n"));
  await page.evaluate((json) => {
    const data = new DataTransfer();
    data.setData("text/plain", json);
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true }),
    );
  }, JSON.stringify(llama2));
  await expect(page.getByTestId("published-parameters")).toHaveText("69.0 B parameters.");
});

const megatron = `torchrun --nproc-per-node 8 pretrain_gpt.py \\
  --tensor-model-parallel-size 4 --use-distributed-optimizer --tp-comm-overlap`;

const mlp = `x = Tensor((16, 8))
up = Parameter((8, 32))
down = Parameter((32, 8))
y = matmul(relu(matmul(x, up)), down)
train(y, optimizer="adam")
`;

test("settings of a trainer make the program run so, what they have beside is said, and one undo leads back", async ({
  page,
}) => {
  await runPage(page).open(addressOf(mlp));
  const lines = page.locator(".cm-content, .view-lines").first();
  await dropFile(page, "train.sh", "text/x-shellscript", Buffer.from(megatron));
  await expect(page.getByTestId("status")).toContainText("Settings of Megatron-LM: dp=2, tp=4.");
  await expect(page.getByTestId("status")).toContainText("Not modelled: tp-comm-overlap.");
  await expect(lines).toContainText("mesh = Mesh(dp=2, tp=4)");
  await expect(lines).toContainText('train(y, optimizer="adam", zero=1)');
  await page.locator("body").press("ControlOrMeta+z");
  await expect(lines).toContainText('train(y, optimizer="adam")');
  await dropFile(page, "run.sh", "text/x-shellscript", Buffer.from("run --tp-size many"));
  await expect(page.getByTestId("status")).toContainText('tp-size is "many", not a whole number');
});

test("a model in ONNX becomes a program with the parameters that the file has", async ({
  page,
}) => {
  await runPage(page).open(addressOf("x = Tensor((8, 4))\n"));
  await dropFile(page, "block.onnx", "", recorded("onnx/fixtures/block.onnx"));
  const note = page.getByTestId("published-note");
  await expect(note).toContainText("operators of ONNX");
  await expect(page.getByTestId("published-parameters")).toContainText("as the file says");
  await note.getByLabel("Batch").fill("16");
  await note.getByLabel("Batch").press("Enter");
  await expect(page.locator(".cm-content, .view-lines").first()).toContainText("batch = 16");
});

test("a program of torch.export is read, and a trace of a run lies beside the schedule", async ({
  page,
}) => {
  await runPage(page).open(addressOf("x = Tensor((8, 4))\n"));
  await dropFile(page, "block.pt2", "", recorded("pt2/fixtures/block.pt2"));
  const note = page.getByTestId("published-note");
  await expect(note).toContainText("operators of PyTorch");
  await expect(page.getByTestId("published-parameters")).toContainText("as the file says");
  await dropFile(page, "gloo.json", "application/json", recorded("profile/fixtures/gloo.json"));
  const table = page.getByTestId("measured-beside");
  await expect(table).toContainText("all-reduce");
  await expect(table).toContainText("only in the run");
  await expect(note).toContainText("3 steps on one device");
  expect(await findingsIn(page, "[data-testid=published-note]")).toEqual([]);
});

test("while a long module is read the page goes on, and reading can be given up", async ({
  page,
}) => {
  await runPage(page).open(addressOf("x = Tensor((8, 4))\ny = relu(x)\n"));
  const count = 190_000;
  const lines = Array.from({ length: count }, (_, at) => {
    const before = at === 0 ? "%x" : `%${at - 1}`;
    return `    %${at} = stablehlo.abs ${before} : tensor<2xf32>`;
  });
  const head = "module @m {\n  func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n";
  const end = `    return %${count - 1} : tensor<2xf32>\n  }\n}\n`;
  await dropFile(page, "long.mlir", "", Buffer.from(`${head}${lines.join("\n")}\n${end}`));
  const note = page.getByTestId("reading-note");
  await expect(note).toContainText("Reading “long.mlir”");
  await note.getByRole("button", { name: "Cancel" }).click();
  await expect(note).toHaveCount(0);
  await expect(page.getByTestId("status")).toContainText('Reading "long.mlir" was stopped.');
  await expect(page.locator(".cm-content, .view-lines").first()).toContainText("y = relu(x)");
});

test("hostile files are refused in the page, and the text stays", async ({ page }) => {
  await runPage(page).open(addressOf("x = Tensor((8, 4))\ny = relu(x)\n"));
  const long = Buffer.alloc(16);
  long.writeBigUInt64LE(BigInt(2 ** 31));
  const status = page.getByTestId("status");
  await dropFile(page, "net.safetensors", "", long);
  await expect(status).toContainText("a header of 2147483648 bytes");
  await dropFile(page, "bomb.onnx", "", Buffer.from([0x3a, 0x80, 0x80, 0x80, 0x80, 0x08]));
  await expect(status).toContainText('"bomb.onnx" is not read');
  await dropFile(page, "step.hlo", "", Buffer.from("HloModule m\n"));
  await expect(status).toContainText("it has no ENTRY computation");
  const packed = Buffer.from(zipSync({ "m/models/model.json": new Uint8Array(2 ** 22) }));
  packed.writeUInt32LE(9, packed.readUInt32LE(packed.length - 6) + 24);
  await dropFile(page, "bomb.pt2", "", packed);
  await expect(status).toContainText("its program is longer than it says");
  await expect(page.locator(".cm-content, .view-lines").first()).toContainText("y = relu(x)");
});

test("on a phone the note stands with the plan", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await runPage(page).open(addressOf("x = Tensor((8, 4))\n"));
  await dropFile(page, "config.json", "application/json", text(llama2));
  await expect(page.getByTestId("published-note")).toContainText("Not modelled");
  expect(await findingsIn(page, "[data-testid=published-note]")).toEqual([]);
});
