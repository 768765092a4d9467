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
  ${`Glm4MoeConfig(${grouped}, n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=32)`}          | ${"Glm4MoeForCausalLM"}               | ${"(ids).logits"}           | ${121408}  | ${[2, 32, 320]}
  ${`SmolLM3Config(${grouped}, pad_token_id=0)`}                                                               | ${"SmolLM3ForCausalLM"}               | ${"(ids, labels=ids).loss"} | ${94528}   | ${[]}
  ${`SmolLM3Config(${grouped}, pad_token_id=0)`}                                                               | ${"SmolLM3ForQuestionAnswering"}      | ${"(ids).end_logits"}       | ${94658}   | ${[2, 32]}
  ${`GraniteConfig(${grouped})`}                                                                               | ${"GraniteForCausalLM"}               | ${"(ids).logits"}           | ${115008}  | ${[2, 32, 320]}
  ${`SeedOssConfig(${grouped})`}                                                                               | ${"SeedOssForCausalLM"}               | ${"(ids).logits"}           | ${289088}  | ${[2, 32, 320]}
  ${`SeedOssConfig(${grouped})`}                                                                               | ${"SeedOssForTokenClassification"}    | ${"(ids).logits"}           | ${268738}  | ${[2, 32, 2]}
  ${`Ernie4_5Config(${grouped})`}                                                                              | ${"Ernie4_5Model"}                    | ${"(ids)[0]"}               | ${266560}  | ${[2, 32, 64]}
  ${`Starcoder2Config(${grouped})`}                                                                            | ${"Starcoder2ForCausalLM"}            | ${"(ids).logits"}           | ${79232}   | ${[2, 32, 320]}
  ${`Olmo3Config(${grouped})`}                                                                                 | ${"Olmo3ForCausalLM"}                 | ${"(ids).logits"}           | ${115200}  | ${[2, 32, 320]}
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
  "albert.py": "MaskedLM",
  "modernbert.py": "MaskedLM",
  "bart.py": "Seq2SeqLM",
  "mbart.py": "Seq2SeqLM",
  "vit.py": "ImageClassification",
  "t5.py": "Seq2SeqLM",
  "t5_gated.py": "Seq2SeqLM",
  "whisper.py": "SpeechSeq2Seq",
  "gemma3_image.py": "ImageTextToText",
  "clip.py": "",
  "siglip.py": "",
};

test.each(Object.entries(hubNames))("%s has the parameters of %s", (id, title) => {
  const published = publishedConfigs.find(({ name }) => name === title);
  const task = tasks[published?.text ?? ""] ?? "CausalLM";
  const auto = task === "" ? "AutoModel" : `AutoModelFor${task}`;
  const { parameters, said } = read(`import torch
from transformers import ${auto}
model = ${auto}.from_pretrained("${id}", dtype=torch.bfloat16)
`);
  expect({ parameters, said }).toEqual({ parameters: published?.parameters, said: [] });
});

const t5 = "vocab_size=320, d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4";
const deepseek = `vocab_size=320, hidden_size=64, intermediate_size=128, num_hidden_layers=3,
    num_attention_heads=4, first_k_dense_replace=1, moe_intermediate_size=32, n_routed_experts=8,
    n_shared_experts=1, num_experts_per_tok=2, kv_lora_rank=16, qk_rope_head_dim=8,
    qk_nope_head_dim=16, v_head_dim=16, topk_group=1`;
const texts = `dict(vocab_size=320, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
    num_attention_heads=4, max_position_embeddings=16, projection_size=48)`;
const images = `dict(hidden_size=48, intermediate_size=96, num_hidden_layers=2,
    num_attention_heads=4, image_size=32, patch_size=8, vision_use_head=False)`;
const both = `text_config=${texts}, vision_config=${images}`;

// Of several inputs and of several texts; parameters and shapes as transformers 5.24 gives them.
test.each`
  config                                                                                                                                                                                                                                               | model                                | result                                                                         | parameters | shape
  ${`T5Config(${t5})`}                                                                                                                                                                                                                                 | ${"T5ForConditionalGeneration"}      | ${"(ids, labels=ids[:, :20]).logits"}                                          | ${185344}  | ${[2, 20, 320]}
  ${`T5Config(${t5})`}                                                                                                                                                                                                                                 | ${"T5ForConditionalGeneration"}      | ${"(ids, None, ids[:, :20], labels=ids[:, :20]).loss"}                         | ${185344}  | ${[]}
  ${`T5Config(${t5}, feed_forward_proj="gated-gelu", tie_word_embeddings=False)`}                                                                                                                                                                      | ${"T5ForConditionalGeneration"}      | ${"(input_ids=ids, decoder_input_ids=ids[:, :9]).logits"}                      | ${238592}  | ${[2, 9, 320]}
  ${`T5Config(${t5})`}                                                                                                                                                                                                                                 | ${"T5EncoderModel"}                  | ${"(ids).last_hidden_state"}                                                   | ${86464}   | ${[2, 32, 64]}
  ${"WhisperConfig(vocab_size=320, d_model=64, encoder_layers=2, decoder_layers=3, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=128, decoder_ffn_dim=96, num_mel_bins=16, max_source_positions=40, max_target_positions=32)"} | ${"WhisperForConditionalGeneration"} | ${"(torch.randn(2, 16, 80), labels=ids).logits"}                               | ${245600}  | ${[2, 32, 320]}
  ${`CLIPConfig(${both}, projection_dim=24)`}                                                                                                                                                                                                          | ${"CLIPModel"}                       | ${"(ids[:, :16], torch.randn(3, 3, 32, 32)).logits_per_image"}                 | ${78017}   | ${[3, 2]}
  ${`SiglipConfig(${both.replace("False", "True")})`}                                                                                                                                                                                                  | ${"SiglipModel"}                     | ${"(ids[:, :16], torch.randn(3, 3, 32, 32)).logits_per_text"}                  | ${96450}   | ${[2, 3]}
  ${`SiglipConfig(${both.replace("False", "True")})`}                                                                                                                                                                                                  | ${"SiglipModel"}                     | ${"(ids[:, :16], torch.randn(2, 3, 32, 32), return_loss=True).loss"}           | ${96450}   | ${[]}
  ${`Gemma3Config(text_config=dict(${grouped}, head_dim=16), vision_config=${images}, mm_tokens_per_image=4)`}                                                                                                                                         | ${"Gemma3ForConditionalGeneration"}  | ${"(input_ids=ids, pixel_values=torch.randn(2, 3, 32, 32)).logits"}            | ${146016}  | ${[2, 32, 320]}
  ${`Gemma3Config(text_config=dict(${grouped}, head_dim=16), vision_config=${images.replace("False", "True")}, mm_tokens_per_image=4)`}                                                                                                                | ${"Gemma3ForConditionalGeneration"}  | ${"(input_ids=ids, pixel_values=torch.randn(2, 3, 32, 32)).logits"}            | ${164928}  | ${[2, 32, 320]}
  ${`CLIPConfig(${both}, projection_dim=24)`}                                                                                                                                                                                                          | ${"CLIPModel"}                       | ${".get_image_features(torch.randn(3, 3, 32, 32)).pooler_output"}              | ${78017}   | ${[3, 24]}
  ${`CLIPConfig(${both}, projection_dim=24)`}                                                                                                                                                                                                          | ${"CLIPModel"}                       | ${".get_text_features(input_ids=ids[:, :16]).pooler_output"}                   | ${78017}   | ${[2, 24]}
  ${`SiglipConfig(${both.replace("False", "True")})`}                                                                                                                                                                                                  | ${"SiglipModel"}                     | ${".get_image_features(pixel_values=torch.randn(3, 3, 32, 32)).pooler_output"} | ${96450}   | ${[3, 48]}
  ${`SiglipConfig(${both.replace("False", "True")})`}                                                                                                                                                                                                  | ${"SiglipModel"}                     | ${".get_text_features(ids[:, :16]).pooler_output"}                             | ${96450}   | ${[2, 48]}
  ${`DeepseekV3Config(${deepseek}, q_lora_rank=24, n_group=2)`}                                                                                                                                                                                        | ${"DeepseekV3ForCausalLM"}           | ${"(ids).logits"}                                                              | ${212280}  | ${[2, 32, 320]}
  ${`DeepseekV3Config(${deepseek}, q_lora_rank=None, n_group=2)`}                                                                                                                                                                                      | ${"DeepseekV3ForCausalLM"}           | ${"(ids).logits"}                                                              | ${219120}  | ${[2, 32, 320]}
  ${`DeepseekV2Config(${deepseek}, q_lora_rank=None, n_group=1)`}                                                                                                                                                                                      | ${"DeepseekV2ForCausalLM"}           | ${"(ids).logits"}                                                              | ${219120}  | ${[2, 32, 320]}
  ${"Mamba2Config(vocab_size=320, hidden_size=64, num_hidden_layers=2, head_dim=16, num_heads=8, state_size=16, n_groups=1, chunk_size=16)"}                                                                                                           | ${"Mamba2ForCausalLM"}               | ${"(ids).logits"}                                                              | ${97328}   | ${[2, 32, 320]}
`("$model of $config is drawn with $result", ({ config, model, result, parameters, shape }) => {
  const [settings] = config.split("(");
  const text = `import torch
from transformers import ${settings}, ${model}
ids = torch.randint(0, 320, (2, 32))
model = ${model}(${config})
y = model${result}
`;
  expect(read(text)).toEqual({ parameters, y: shape, said: [] });
});

const mixtral = `${grouped}, num_local_experts=4`;

// Heads that transformers 5.24 has for all of its models alike; parameters and shapes are its own.
test.each`
  config                                                                                         | model                                 | result                                                              | parameters | shape
  ${`BertConfig(${small})`}                                                                      | ${"BertForQuestionAnswering"}         | ${"(ids).start_logits"}                                             | ${120578}  | ${[2, 32]}
  ${`BertConfig(${small})`}                                                                      | ${"AutoModelForQuestionAnswering"}    | ${"(ids, start_positions=ids[:, 0], end_positions=ids[:, 1]).loss"} | ${120578}  | ${[]}
  ${`BertConfig(${small})`}                                                                      | ${"BertForMultipleChoice"}            | ${"(torch.stack([ids, ids, ids], 1)).logits"}                       | ${124673}  | ${[2, 3]}
  ${`BertConfig(${small})`}                                                                      | ${"BertForNextSentencePrediction"}    | ${"(ids).logits"}                                                   | ${124738}  | ${[2, 2]}
  ${"DistilBertConfig(vocab_size=320, dim=64, hidden_dim=128, n_layers=2, n_heads=4)"}           | ${"DistilBertForMultipleChoice"}      | ${"(torch.stack([ids, ids, ids], 1)).logits"}                       | ${124545}  | ${[2, 3]}
  ${"GPT2Config(vocab_size=320, n_embd=64, n_layer=2, n_head=4, n_positions=128, num_labels=5)"} | ${"GPT2ForTokenClassification"}       | ${"(ids).logits"}                                                   | ${129093}  | ${[2, 32, 5]}
  ${`LlamaConfig(${grouped}, num_labels=5)`}                                                     | ${"LlamaForTokenClassification"}      | ${"(ids, labels=torch.zeros_like(ids)).loss"}                       | ${94853}   | ${[]}
  ${`LlamaConfig(${grouped})`}                                                                   | ${"LlamaForQuestionAnswering"}        | ${"(ids)[1]"}                                                       | ${94658}   | ${[2, 32]}
  ${`MixtralConfig(${mixtral}, num_labels=5)`}                                                   | ${"MixtralForSequenceClassification"} | ${"(ids).logits"}                                                   | ${242816}  | ${[2, 5]}
  ${`MixtralConfig(${mixtral})`}                                                                 | ${"MixtralModel"}                     | ${"(ids).last_hidden_state"}                                        | ${242496}  | ${[2, 32, 64]}
`("the head of $model is drawn with $result", ({ config, model, result, parameters, shape }) => {
  const [settings] = config.split("(");
  const made = model.startsWith("Auto") ? `${model}.from_config` : model;
  const text = `import torch
from transformers import ${settings}, ${model}
ids = torch.randint(0, 320, (2, 32))
model = ${made}(${config})
y = model${result}
`;
  expect(read(text)).toEqual({ parameters, y: shape, said: [] });
});

test("features that a text takes for a tensor are read as one, which is said", () => {
  const { y, said } = read(`import torch
from transformers import CLIPConfig, CLIPModel
model = CLIPModel(CLIPConfig(${both}, projection_dim=24))
features = model.get_image_features(pixel_values=torch.randn(3, 3, 32, 32))
y = features / features.norm(dim=-1, keepdim=True)
`);
  expect(y).toEqual([3, 24]);
  expect(said).toEqual([expect.stringMatching(/read as its pooler_output$/)]);
});

test.each`
  call                                                               | y            | said
  ${"model(ids[:, :1], past_key_values=model(ids).past_key_values)"} | ${"unknown"} | ${/past_key_values is not read/}
  ${"model(inputs_embeds=torch.randn(2, 32, 64))"}                   | ${"unknown"} | ${/inputs_embeds is not read/}
`("what is not drawn of a call is unknown: $call", ({ call, y, said }) => {
  const read_ = read(`import torch
from transformers import LlamaConfig, LlamaForCausalLM
ids = torch.randint(0, 320, (2, 32))
model = LlamaForCausalLM(LlamaConfig(${grouped}))
y = ${call}.logits
`);
  expect(read_.y).toBe(y);
  expect(read_.said.join()).toMatch(said);
});

test("generate shows one pass over the prompt", () => {
  const { diagnostics, graph } = readDocument(`import torch
from transformers import LlamaConfig, LlamaForCausalLM
model = LlamaForCausalLM(LlamaConfig(${grouped}))
made = model.generate(torch.randint(0, 320, (2, 32)), max_new_tokens=8)
print(made[0].tolist())
`);
  expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    expect.stringMatching(/^warning: generate is not read: it shows one pass/),
  ]);
  expect(graph.tensors.map(({ shape }) => shape)).toContainEqual([2, 32, 320]);
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
  what                                                                    | said
  ${'AutoModelForCausalLM.from_pretrained("nobody/knows")'}               | ${/AutoModelForCausalLM.from_pretrained/}
  ${'AutoModelForCausalLM.from_pretrained("gpt2")'}                       | ${/the type of the weights is not read/}
  ${"LlamaForCausalLM(LlamaConfig(hidden_act='relu'))"}                   | ${/hidden_act of a configuration is not read/}
  ${"SmolLM3ForCausalLM(SmolLM3Config(no_rope_layers=[1, 0] * 18))"}      | ${/no_rope_layers of a configuration is not read: the model is drawn with \[1, 1, 1, 0\]/}
  ${"Olmo3ForCausalLM(Olmo3Config(layer_types=['full_attention'] * 32))"} | ${/layer_types of a configuration is not read/}
`("$what is said", ({ what, said }) => {
  const text = `import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM, Olmo3Config, Olmo3ForCausalLM, SmolLM3Config, SmolLM3ForCausalLM
model = ${what}
y = model(torch.randint(0, 320, (2, 32)))
`;
  expect(read(text).said.join()).toMatch(said);
});

test("lists of layers that are as the text has them say nothing", () => {
  const { said } = read(`import torch
from transformers import Olmo3Config, Olmo3ForCausalLM, SmolLM3Config, SmolLM3ForCausalLM
kinds = ["sliding_attention"] * 3 + ["full_attention"]
a = Olmo3ForCausalLM(Olmo3Config(${grouped.replace("layers=2", "layers=4")}, layer_types=kinds))
b = SmolLM3ForCausalLM(SmolLM3Config(${grouped.replace("layers=2", "layers=4")}, pad_token_id=0, no_rope_layers=[1, 0, 1, 0], no_rope_layer_interval=2))
ids = torch.randint(0, 320, (2, 32))
y = a(ids).logits + b(ids).logits
`);
  expect(said).toEqual([]);
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
