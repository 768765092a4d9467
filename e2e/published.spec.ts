import { expect, test } from "@playwright/test";
import { dropFile } from "./drop-file.ts";
import { findingsIn } from "./page-states.ts";
import { watchNoise } from "./plan-page.ts";
import { addressOf, runPage } from "./run-page.ts";

/** The published values of Llama 2 70B. */
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
