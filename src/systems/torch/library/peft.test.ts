import { expect, test } from "vitest";
import { readDocument } from "#systems";

/** The parameters of `model`, how many elements are trained, and what is said. */
function read(text: string) {
  const { diagnostics, graph, modules } = readDocument(text);
  const trained = graph.tensors.filter(({ role, isFrozen }) => role === "parameter" && !isFrozen);
  return {
    all: modules.get("model"),
    trained: trained.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0),
    names: trained.map(({ name }) => name),
    said: diagnostics.flatMap(({ severity, code }) => (severity === "info" ? [] : [code])),
  };
}

const step = "opt = torch.optim.AdamW(model.parameters())\nloss.backward()\nopt.step()\n";

// The first example of peft's documentation: of 4,100,164 parameters peft 0.21 trains 52,162.
test("layers get weights of low rank, and one is kept to be trained", () => {
  const text = `import torch
from torch import nn
from peft import LoraConfig, get_peft_model
class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(20, 2000), nn.ReLU(), nn.Linear(2000, 2000), nn.ReLU(), nn.Linear(2000, 2))
    def forward(self, x):
        return self.seq(x)
model = get_peft_model(MLP(), LoraConfig(target_modules=["seq.0", "seq.2"], modules_to_save=["seq.4"]))
loss = model(torch.randn(64, 20)).sum()
${step}`;
  expect(read(text)).toMatchObject({ all: 4_100_164, trained: 52_162, said: [] });
});

test.each`
  targets                            | layers
  ${""}                              | ${["q_proj", "v_proj"]}
  ${'target_modules=["o_proj"], '}   | ${["o_proj"]}
  ${'target_modules="all-linear", '} | ${["down_proj", "gate_proj", "k_proj", "o_proj", "q_proj", "up_proj", "v_proj"]}
`("a published model is trained by its targets alone: $targets", ({ targets, layers }) => {
  const text = `import torch
from peft import LoraConfig, TaskType, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM
sizes = dict(vocab_size=320, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4)
model = LlamaForCausalLM(LlamaConfig(**sizes))
model = get_peft_model(model, LoraConfig(${targets}r=4, task_type=TaskType.CAUSAL_LM))
ids = torch.randint(0, 320, (2, 32))
loss = model(input_ids=ids, labels=ids).loss
${step}`;
  const { names, said } = read(text);
  expect(said).toEqual([]);
  expect(names.every((name) => name.includes(".lora_"))).toBe(true);
  const found = names.flatMap((name) => /(\w+)\.lora_A\.default\.weight$/u.exec(name)?.[1] ?? []);
  expect([...new Set(found)].sort()).toEqual(layers);
  expect(found).toHaveLength(2 * layers.length);
});
