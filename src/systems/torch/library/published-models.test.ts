import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { hubNames, publishedConfigs } from "#systems/families";

/** The parameters of `model`, the shape of `y`, and what a text is told. */
function read(text: string) {
  const { diagnostics, graph, modules } = readDocument(text);
  const y = graph.tensors.find(({ name }) => name === "y");
  return {
    parameters: modules.get("model"),
    y: y?.isUnknown === true ? "unknown" : y?.shape,
    said: diagnostics.flatMap(({ severity, message }) => (severity === "info" ? [] : [message])),
  };
}

const small =
  "vocab_size=320, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4";
const grouped = `${small}, num_key_value_heads=2`;

// Parameters and shapes as transformers 5.24 gives them.
test.each`
  config                                                                                                       | model                                 | result                      | parameters | shape
  ${"GPT2Config(vocab_size=320, n_embd=64, n_layer=2, n_head=4, n_positions=128)"}                             | ${"GPT2LMHeadModel"}                  | ${"(ids).logits"}           | ${128768}  | ${[2, 32, 320]}
  ${"GPT2Config(vocab_size=320, n_embd=64, n_layer=2, n_head=4, n_positions=128)"}                             | ${"GPT2LMHeadModel"}                  | ${"(ids, labels=ids).loss"} | ${128768}  | ${[]}
  ${`BertConfig(${small})`}                                                                                    | ${"BertForSequenceClassification"}    | ${"(input_ids=ids).logits"} | ${124738}  | ${[2, 2]}
  ${`BertConfig(${small})`}                                                                                    | ${"BertModel"}                        | ${"(ids).pooler_output"}    | ${124608}  | ${[2, 64]}
  ${`BertConfig(${small})`}                                                                                    | ${"BertModel"}                        | ${"(ids)[0]"}               | ${124608}  | ${[2, 32, 64]}
  ${"DistilBertConfig(vocab_size=320, dim=64, hidden_dim=128, n_layers=2, n_heads=4)"}                         | ${"DistilBertForTokenClassification"} | ${"(ids, labels=ids)[1]"}   | ${120450}  | ${[2, 32, 2]}
  ${`Gemma2Config(${grouped}, head_dim=16)`}                                                                   | ${"Gemma2ForCausalLM"}                | ${"(ids).logits"}           | ${94784}   | ${[2, 32, 320]}
  ${`Qwen3MoeConfig(${grouped}, head_dim=16, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32)`} | ${"Qwen3MoeForCausalLM"}              | ${"(ids).logits"}           | ${115584}  | ${[2, 32, 320]}
`("$model of $config is drawn", ({ config, model, result, parameters, shape }) => {
  const [settings] = config.split("(");
  const text = `import torch
from transformers import ${settings}, ${model}
ids = torch.randint(0, 320, (2, 32))
model = ${model}(${config})
y = model${result}
`;
  expect(read(text)).toEqual({ parameters, y: shape, said: [] });
});

const tasks: Readonly<Record<string, string>> = {
  "bert.py": "MaskedLM",
  "roberta.py": "MaskedLM",
  "distilbert.py": "MaskedLM",
  "vit.py": "ImageClassification",
};

test.each(Object.entries(hubNames))("%s has the parameters of %s", (id, title) => {
  const published = publishedConfigs.find(({ name }) => name === title);
  const task = tasks[published?.text ?? ""] ?? "CausalLM";
  const { parameters, said } = read(`import torch
from transformers import AutoModelFor${task}
model = AutoModelFor${task}.from_pretrained("${id}", dtype=torch.bfloat16)
`);
  expect({ parameters, said }).toEqual({ parameters: published?.parameters, said: [] });
});

test("two models of different sizes keep their own, and layers have their names in transformers", () => {
  const { diagnostics, graph, modules } = readDocument(`import torch
from transformers import LlamaConfig, LlamaForCausalLM
teacher = LlamaForCausalLM(LlamaConfig(${grouped}))
student = LlamaForCausalLM(LlamaConfig(${grouped.replace("hidden_size=64", "hidden_size=32")}))
ids = torch.randint(0, 320, (2, 32))
t = teacher(ids).logits
s = student(ids).logits
`);
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  const shapes = graph.tensors.flatMap(({ name, shape }) =>
    name.endsWith("layers[1].self_attn.q_proj.weight") ? [shape] : [],
  );
  expect(shapes).toEqual([
    [64, 64],
    [32, 32],
  ]);
  expect(modules.get("student")).toBeLessThan(modules.get("teacher") ?? 0);
});

test.each`
  what                                                      | said
  ${'AutoModelForCausalLM.from_pretrained("nobody/knows")'} | ${/AutoModelForCausalLM.from_pretrained/}
  ${'AutoModelForCausalLM.from_pretrained("gpt2")'}         | ${/the type of the weights is not read/}
  ${"LlamaForCausalLM(LlamaConfig(hidden_act='relu'))"}     | ${/hidden_act of a configuration is not read/}
`("$what is said", ({ what, said }) => {
  const text = `import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM
model = ${what}
y = model(torch.randint(0, 320, (2, 32)))
`;
  expect(read(text).said.join()).toMatch(said);
});

test.each`
  what                                                                       | shape
  ${"model(**tokens).logits"}                                                | ${[1024, 50257]}
  ${"model(input_ids=tokens['input_ids'], labels=tokens['input_ids']).loss"} | ${[]}
`("rows of ids that nobody gives are as long as the model takes: $what", ({ what, shape }) => {
  const { y } = read(`import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
tokens = AutoTokenizer.from_pretrained("gpt2")("a text", return_tensors="pt")
model = AutoModelForCausalLM.from_pretrained("gpt2", dtype=torch.float32)
y = ${what}
`);
  expect(y?.slice(1)).toEqual(shape);
});
