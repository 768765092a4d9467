import fc from "fast-check";
import { expect, test } from "vitest";
import { knownFamilies } from "#systems/families";
import type { ImportChoice } from "../format.ts";
import { fileOf } from "../published.testing.ts";
import { llamaFamily } from "./llama.testing.ts";
import { readConfig } from "./read-config.ts";
import { pythonOf } from "./sizes.ts";

const whole = {
  model_type: "llama",
  hidden_size: 4096,
  num_attention_heads: 32,
  vocab_size: 128256,
};

function read(config: unknown, choice: Partial<ImportChoice> = {}) {
  return readConfig(fileOf("config.json", JSON.stringify(config)), choice, llamaFamily);
}

function programOf(config: unknown, choice: Partial<ImportChoice> = {}): string {
  const made = read(config, choice);
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
  return made.value.program ?? "";
}

function messagesOf(config: unknown): readonly string[] {
  const made = read(config);
  return (made.ok ? made.value.notes : made.diagnostics).map(({ message }) => message);
}

test("sizes of a configuration stand in the text, and what it leaves out is what is usual", () => {
  const lines = programOf({ ...whole, torch_dtype: "float16" }).split("\n");
  expect(lines).toContain("hidden_size = 4096");
  expect(lines.join()).not.toContain("small model");
  expect(lines).toContain("num_key_value_heads = num_attention_heads");
  expect(lines).toContain("head_dim = hidden_size // num_attention_heads");
  expect(lines).toContain('embed = Parameter((vocab_size, hidden_size), "f16")');
});

test("a size that the text works out is what the configuration says where it says it", () => {
  expect(programOf({ ...whole, head_dim: 256 })).toContain("\nhead_dim = 256\n");
  expect(programOf({ ...whole, head_dim: null })).toContain("head_dim = hidden_size //");
  const phi = { model_type: "phi3", partial_rotary_factor: 0.75 };
  const made = readConfig(fileOf("config.json", JSON.stringify(phi)), {}, knownFamilies);
  expect(made.ok && made.value.program).toContain("\npartial_rotary_factor = 0.75\n");
});

test("batch, sequence and use are chosen", () => {
  const program = programOf(whole, { batch: 8, sequence: 128, isTraining: true });
  expect(program).toContain("\nB, S = 8, 128\n");
  expect(program).toContain("cross_entropy(logits.reshape(B * S, vocab_size)");
  expect(program.trimEnd().endsWith("train(loss)")).toBe(true);
});

test.each`
  config                                                        | length
  ${{ model_type: "bert", max_position_embeddings: 512 }}       | ${512}
  ${{ model_type: "gpt2" }}                                     | ${1024}
  ${{ model_type: "roberta", max_position_embeddings: 514 }}    | ${512}
  ${{ model_type: "clip", text_config: {}, vision_config: {} }} | ${77}
  ${{ model_type: "whisper", max_target_positions: 448 }}       | ${448}
  ${{ model_type: "llama", max_position_embeddings: 2048 }}     | ${4096}
`("rows of $config.model_type are as long as its table of positions", ({ config, length }) => {
  const file = fileOf("config.json", JSON.stringify(config));
  const made = readConfig(file, {}, knownFamilies);
  expect(made.ok && made.value.choice?.sequence).toBe(length);
  expect(made.ok && made.value.program).toContain(`\nB, S = 1, ${length}\n`);
  const chosen = readConfig(file, { sequence: 9 }, knownFamilies);
  expect(chosen.ok && chosen.value.program).toContain("\nB, S = 1, 9\n");
});

test("a key that is neither a size nor known to say nothing is named once, as published/not-modelled", () => {
  const config = { ...whole, rope_scaling: { factor: 8 }, attention_bias: true, sliding_window: 4 };
  const made = read(config);
  expect(made.ok && made.value.notes).toMatchObject([
    {
      code: "published/not-modelled",
      severity: "warning",
      message: "not modelled: rope_scaling, attention_bias = true, sliding_window = 4",
    },
  ]);
  expect(made.ok && made.value.program).toContain("# Not modelled: rope_scaling, attention_bias");
});

test("what says nothing of shapes and work is not named", () => {
  const config = {
    ...whole,
    ...{ rope_scaling: null, attention_bias: false, bos_token_id: 1, hidden_act: "silu" },
    ...{ use_cache: true, attention_dropout: 0.1, id2label: { 0: "a" } },
  };
  expect(messagesOf(config)).toEqual([]);
  expect(messagesOf({ ...config, hidden_act: "gelu" })).toEqual([
    "not modelled: hidden_act = gelu",
  ]);
});

test("in training dropout counts", () => {
  const made = read({ ...whole, attention_dropout: 0.1 }, { isTraining: true });
  expect(made.ok && made.value.notes.map(({ message }) => message)).toEqual([
    "not modelled: attention_dropout = 0.1",
  ]);
});

test("sizes inside another key are those that the family names; what else stands there is named", () => {
  const config = {
    model_type: "mixed",
    architectures: ["MixedModel"],
    vision_config: { hidden_size: 1024, patch_size: 14 },
    text_config: { hidden_size: 2048 },
  };
  expect(programOf(config)).toContain("vision_hidden_size = 1024\nhidden_size = 2048\n");
  expect(messagesOf(config)).toEqual(["not modelled: vision_config.patch_size = 14"]);
});

test.each`
  change                        | why
  ${{ model_type: "unheard" }}  | ${'there is no text for "unheard"; there are texts for llama, mixed'}
  ${{ model_type: 7 }}          | ${"there is no text for no model_type"}
  ${{ hidden_size: undefined }} | ${"it says no hidden_size, and there is no usual one"}
  ${{ hidden_size: "large" }}   | ${"its hidden_size is no number"}
  ${{ hidden_size: 64.5 }}      | ${"which is no whole number"}
  ${{ hidden_size: 1e30 }}      | ${"its hidden_size is 1e+30"}
  ${{ hidden_size: -64 }}       | ${"its hidden_size is -64"}
  ${{ hidden_size: { a: 1 } }}  | ${"its hidden_size is no number"}
  ${{ tie_word_embeddings: 3 }} | ${"its tie_word_embeddings is no truth"}
`("refused is $change", ({ change, why }) => {
  const made = read({ ...whole, ...change });
  expect(made.ok).toBe(false);
  expect(made.diagnostics.map(({ code }) => code)).toEqual(["published/refused"]);
  expect(messagesOf({ ...whole, ...change }).join()).toContain(why);
});

test.each`
  rotary                                                              | notes
  ${{ rope_parameters: { rope_type: "default", rope_theta: 7 } }}     | ${[]}
  ${{ rope_parameters: { rope_type: "yarn", factor: 4 } }}            | ${["not modelled: rope_parameters"]}
  ${{ rope_parameters: null }}                                        | ${[]}
  ${{ rope_scaling: { rope_type: "default" } }}                       | ${[]}
  ${{ rope_scaling: { type: "default", mrope_section: [1, 2] } }}     | ${["not modelled: rope_scaling"]}
  ${{ rope_scaling: { type: "linear", factor: 2 } }}                  | ${["not modelled: rope_scaling"]}
  ${{ rope_parameters: { full_attention: { rope_type: "linear" } } }} | ${["not modelled: rope_parameters"]}
`("angles of $rotary", ({ rotary, notes }) => {
  expect(messagesOf({ ...whole, ...rotary })).toEqual(notes);
});

test("bases of angles are sizes, by the kind of layer where there are several", () => {
  const text = "B, S = 1, 8\nrope_theta = 5.0\nrope_local_base_freq = 6.0\nx = Tensor((B, S))\n";
  const families = {
    list: [{ model_type: ["two"], text: "two.py", title: "Two", defaults: {} }],
    texts: new Map([["two.py", text]]),
  };
  const rope_parameters = {
    full_attention: { rope_type: "default", rope_theta: 1000 },
    sliding_attention: { rope_type: "default", rope_theta: 10 },
  };
  const file = fileOf("config.json", JSON.stringify({ model_type: "two", rope_parameters }));
  const made = readConfig(file, {}, families);
  expect(made.ok && made.value.program).toContain("rope_theta = 1000\nrope_local_base_freq = 10\n");
  expect(made.ok && made.value.notes).toEqual([]);
});

test("another class of a known type has the same layers, which is said", () => {
  const [families] = llamaFamily.list.slice(1);
  const config = { model_type: "mixed", architectures: ["MixedForAnything"] };
  const made = read({
    ...config,
    vision_config: { hidden_size: 8 },
    text_config: { hidden_size: 4 },
  });
  expect(families?.architectures).toEqual(["MixedModel"]);
  expect(made.ok && made.value.notes.map(({ message }) => message)).toEqual([
    "not modelled: MixedForAnything: the text is MixedModel",
  ]);
});

test("of an unknown model of several parts the language part is read, and the rest is named", () => {
  const config = {
    ...{ model_type: "unheard", architectures: ["Unheard"], torch_dtype: "float16" },
    ...{ vision_config: { depth: 3 }, projector_size: 12, image_token_id: 5 },
    text_config: { ...whole, rope_scaling: { type: "yarn" } },
  };
  const made = read(config);
  expect(made.ok && made.value.program).toContain(
    'embed = Parameter((vocab_size, hidden_size), "f16")',
  );
  expect(made.ok && made.value.program).toContain("hidden_size = 4096\n");
  expect(messagesOf(config)).toEqual([
    "not modelled: Unheard: the text is its language part, vision_config, projector_size = 12, rope_scaling",
  ]);
});

test("the name of a model of several parts stays on its line", () => {
  const config = { model_type: "unheard", architectures: ["A\nx = 1"], text_config: whole };
  expect(programOf(config).split("\n")).not.toContain("x = 1");
});

test("a part's configuration as it was called before stands in place of the other", () => {
  const config = {
    ...{ model_type: "mixed", architectures: ["MixedModel"], text_config: { hidden_size: 4 } },
    ...{ vision_config: { hidden_size: 8, depth: 3 }, vision_config_dict: { hidden_size: 16 } },
  };
  expect(programOf(config)).toContain("vision_hidden_size = 16\nhidden_size = 4\n");
  expect(messagesOf(config)).toEqual([]);
});

test("a family may be of configurations with a key alone, and is found by it", () => {
  const two = (name: string, where: Readonly<Record<string, unknown>>) => ({
    ...{ model_type: ["two"], text: name, title: name, defaults: {}, where },
  });
  const families = {
    list: [
      two("low.py", { rank: null }),
      two("gated.py", { act: "gated" }),
      two("equal.py", { width: "height" }),
    ],
    texts: new Map([
      ["low.py", "B = 1\nx = Tensor((B, 2))\n"],
      ["gated.py", "B = 1\nx = Tensor((B, 3))\n"],
      ["equal.py", "B = 1\nx = Tensor((B, 4))\n"],
    ]),
  };
  const programFrom = (keys: unknown) => {
    const file = fileOf("config.json", JSON.stringify({ model_type: "two", ...Object(keys) }));
    const made = readConfig(file, {}, families);
    // Without rows of tokens there is no length to choose.
    expect(made.ok && made.value.choice).not.toHaveProperty("sequence");
    return made.ok ? made.value.program : undefined;
  };
  expect(programFrom({})).toBeUndefined();
  expect(programFrom({ rank: null })).toContain("(B, 2)");
  expect(programFrom({ width: 5, height: 5 })).toContain("(B, 4)");
  expect(programFrom({ width: 5, height: 6 })).toBeUndefined();
  expect(programFrom({ rank: 3, act: "gated" })).toContain("(B, 3)");
  expect(programFrom({ rank: 3 })).toBeUndefined();
});

test("keys that the model does not read, and lists that repeat as the text does, say nothing", () => {
  const family = {
    ...{ model_type: ["read"], text: "read.py", title: "Read", defaults: {} },
    ...{ unread: ["window"], repeats: { kinds: ["near", "far"] }, same: { heads_again: "heads" } },
  };
  const families = {
    list: [family],
    texts: new Map([["read.py", "B = 1\nheads = 4\nx = Tensor((B, heads))\n"]]),
  };
  const notesOf = (keys: unknown) => {
    const config = { model_type: "read", heads: 8, ...Object(keys) };
    const made = readConfig(fileOf("config.json", JSON.stringify(config)), {}, families);
    return made.ok ? made.value.notes.map(({ message }) => message) : [];
  };
  expect(notesOf({ window: 4, kinds: ["near", "far", "near"], heads_again: 8 })).toEqual([]);
  expect(notesOf({ kinds: ["near", "near"] })).toEqual(["not modelled: kinds"]);
  expect(notesOf({ heads_again: 4 })).toEqual(["not modelled: heads_again = 4"]);
});

test("a list that has a 0 once in as many layers as a size says says nothing, and another is named", () => {
  const family = {
    ...{ model_type: ["read"], text: "read.py", title: "Read", defaults: { step: 4 } },
    every: { turned: "step" },
  };
  const families = {
    list: [family],
    texts: new Map([["read.py", "B = 1\nstep = 4\nx = Tensor((B, step))\n"]]),
  };
  const notesOf = (keys: unknown) => {
    const config = { model_type: "read", ...Object(keys) };
    const made = readConfig(fileOf("config.json", JSON.stringify(config)), {}, families);
    return made.ok ? made.value.notes.map(({ message }) => message) : [];
  };
  expect(notesOf({ turned: [1, 1, 1, 0, 1] })).toEqual([]);
  expect(notesOf({ turned: [1, 0, 1, 0], step: 2 })).toEqual([]);
  expect(notesOf({ turned: [1, 0, 1, 0] })).toEqual(["not modelled: turned"]);
  expect(notesOf({ turned: [1, 1, 1, 0], step: 2 })).toEqual(["not modelled: turned"]);
});

test("a size that may be none is none where a configuration says so, or where that is usual", () => {
  const family = {
    ...{ model_type: ["read"], text: "read.py", title: "Read", defaults: { window: null } },
    optional: ["window"],
  };
  const text = "B = 1\nwindow = 4\nx = Tensor((B, 8))\n";
  const lineOf = (list: readonly (typeof family)[], keys: unknown) => {
    const config = { model_type: "read", ...Object(keys) };
    const file = fileOf("config.json", JSON.stringify(config));
    const made = readConfig(file, {}, { list, texts: new Map([["read.py", text]]) });
    return made.ok
      ? /^window = .*$/mu.exec(made.value.program ?? "")?.[0]
      : made.diagnostics[0]?.message;
  };
  expect(lineOf([family], {})).toBe("window = None");
  expect(lineOf([family], { window: null })).toBe("window = None");
  expect(lineOf([family], { window: 16 })).toBe("window = 16");
  expect(lineOf([{ ...family, optional: [] }], {})).toContain("it says no window");
});

test("OLMo 3 has one angle for both kinds of layer, by either form of a file; a scaling is named", () => {
  const notesOf = (keys: unknown) => {
    const layers = [1, 2, 3, 4].map((at) => (at % 4 ? "sliding_attention" : "full_attention"));
    const config = { model_type: "olmo3", layer_types: layers, ...Object(keys) };
    const made = readConfig(fileOf("config.json", JSON.stringify(config)), {}, knownFamilies);
    return made.ok ? made.value.notes.map(({ message }) => message) : ["refused"];
  };
  const angle = { rope_type: "default", rope_theta: 500000 };
  const both = { full_attention: angle, sliding_attention: angle };
  const yarn = { ...angle, rope_type: "yarn", factor: 8 };
  const apart = { ...angle, rope_theta: 10000 };
  expect(notesOf({ rope_theta: 500000 })).toEqual([]);
  expect(notesOf({ rope_parameters: both })).toEqual([]);
  expect(notesOf({ rope_theta: 500000, rope_scaling: { rope_type: "yarn", factor: 8 } })).toEqual([
    "not modelled: rope_scaling",
  ]);
  expect(notesOf({ rope_parameters: { ...both, full_attention: yarn } })).toEqual([
    "not modelled: rope_parameters",
  ]);
  expect(notesOf({ rope_parameters: { ...both, sliding_attention: apart } })).toEqual([
    "not modelled: rope_local_base_freq = 10000",
  ]);
  expect(notesOf({ layer_types: ["full_attention"] })).toEqual(["not modelled: layer_types"]);
});

test.each`
  type         | keys                                                              | notes
  ${"gpt_neo"} | ${{ num_layers: 4, attention_types: [[["global", "local"], 2]] }} | ${[]}
  ${"gpt_neo"} | ${{ num_layers: 4, attention_types: [[["global"], 1], [["local"], 1]] }} | ${["attention_types"]}
  ${"gpt_neo"} | ${{ num_layers: 4, attention_types: [[["global", "local"], 3]] }} | ${["attention_types"]}
  ${"gpt_neo"} | ${{ num_layers: 4, attention_types: [[["global"], 4]] }}          | ${["attention_types"]}
  ${"gpt_neo"} | ${{ num_layers: 2, attention_layers: ["global", "local"] }}       | ${[]}
  ${"mpt"}     | ${{ attn_config: { alibi: true, clip_qkv: null } }}               | ${[]}
  ${"mpt"}     | ${{ attn_config: { alibi: false, clip_qkv: 6 } }}                 | ${["attn_config.alibi = false", "attn_config.clip_qkv = 6"]}
  ${"albert"}  | ${{ num_hidden_groups: 2 }}                                       | ${["num_hidden_groups = 2"]}
`("of $type with $keys is named what its text is not", ({ type, keys, notes }) => {
  const file = fileOf("config.json", JSON.stringify({ model_type: type, ...keys }));
  const made = readConfig(file, {}, knownFamilies);
  const said = made.ok ? made.value.notes.map(({ message }) => message) : ["refused"];
  expect(
    said.map((each) => each.replace("not modelled: ", "")).flatMap((each) => each.split(", ")),
  ).toEqual(notes);
});

test("a head that a configuration does not say is what its class makes of other sizes, or has", () => {
  const lineOf = (type: string) => {
    const file = fileOf("config.json", JSON.stringify({ model_type: type }));
    const made = readConfig(file, {}, knownFamilies);
    return made.ok ? /^head_dim = .*$/mu.exec(made.value.program ?? "")?.[0] : "";
  };
  expect(lineOf("glm4_moe")).toBe("head_dim = hidden_size // num_attention_heads");
  expect(lineOf("seed_oss")).toBe("head_dim = 128");
  expect(lineOf("ernie4_5")).toBe("head_dim = 128");
});

test("a value that is neutral elsewhere is named where the family's text has another", () => {
  const notesOf = (config: object) => {
    const file = fileOf("config.json", JSON.stringify(config));
    const made = readConfig(file, { sequence: 16 }, knownFamilies);
    return made.ok ? made.value.notes.map(({ message }) => message) : made.diagnostics;
  };
  const named = ["not modelled: qkv_bias = false"];
  expect(notesOf({ model_type: "qwen2_moe", qkv_bias: false })).toEqual(named);
  expect(notesOf({ model_type: "qwen2_moe", qkv_bias: true })).toEqual([]);
  expect(notesOf({ model_type: "qwen3", qkv_bias: false })).toEqual([]);
});

test.each`
  type             | saved
  ${"llama4_text"} | ${{ num_hidden_layers: 4, moe_layers: [0, 1, 2, 3], no_rope_layers: [1, 1, 1, 0] }}
  ${"llama4_text"} | ${{ num_hidden_layers: 4, moe_layers: [1, 3], interleave_moe_layer_step: 2 }}
  ${"deepseek_v3"} | ${{ qk_rope_head_dim: 16, head_dim: 16, qk_head_dim: 48, rope_interleave: true }}
  ${"bert"}        | ${{ tie_word_embeddings: true }}
  ${"vit"}         | ${{ hidden_size: 128, pooler_output_size: 128, pooler_act: "tanh" }}
  ${"t5"}          | ${{ scale_decoder_outputs: true, dense_act_fn: "relu", is_gated_act: false }}
`("what transformers 5 saves of a $type beside its sizes is as its text is", ({ type, saved }) => {
  const file = fileOf("config.json", JSON.stringify({ model_type: type, ...saved }));
  const made = readConfig(file, { sequence: 16 }, knownFamilies);
  expect(made.ok && made.value.notes).toEqual([]);
});

test("lists of layers that are others than the text's are named", () => {
  const config = { model_type: "llama4_text", num_hidden_layers: 4, moe_layers: [1, 2] };
  const made = readConfig(fileOf("config.json", JSON.stringify(config)), {}, knownFamilies);
  const notes = made.ok ? made.value.notes.map(({ message }) => message) : [];
  expect(notes).toEqual(["not modelled: moe_layers"]);
});

const topOnes = { model_type: "qwen3_moe", norm_topk_prob: true };

/** What transformers 5.24 has of a key that a configuration does not say. */
test.each`
  type             | keys                                                      | line
  ${"mistral"}     | ${{ num_attention_heads: 16 }}                            | ${"num_key_value_heads = 8"}
  ${"mistral"}     | ${{ num_attention_heads: 16, num_key_value_heads: null }} | ${"num_key_value_heads = num_attention_heads"}
  ${"smollm3"}     | ${{ num_attention_heads: 16 }}                            | ${"num_key_value_heads = 4"}
  ${"llama"}       | ${{ num_attention_heads: 16 }}                            | ${"num_key_value_heads = num_attention_heads"}
  ${"deepseek_v3"} | ${{ num_hidden_layers: 4 }}                               | ${"q_lora_rank = 1536"}
  ${"electra"}     | ${{ hidden_size: 256, embedding_size: 128 }}              | ${"embedding_size = 128"}
`("$type with $keys: $line", ({ type, keys, line }) => {
  const file = fileOf("config.json", JSON.stringify({ model_type: type, ...keys }));
  const made = readConfig(file, { sequence: 16 }, knownFamilies);
  expect(made.ok && made.value.program).toContain(`\n${line}\n`);
});

/** Where the text has another value than the class has of a missing key, the value is named. */
test.each`
  keys                                                                   | notes
  ${{ model_type: "qwen3_moe" }}                                         | ${["not modelled: norm_topk_prob = false"]}
  ${topOnes}                                                             | ${[]}
  ${{ model_type: "t5", feed_forward_proj: "gated-gelu" }}               | ${["not modelled: tie_word_embeddings = true"]}
  ${{ model_type: "llama4_text", num_hidden_layers: 4, moe_layers: [] }} | ${["not modelled: moe_layers"]}
`("$keys: $notes", ({ keys, notes }) => {
  const made = readConfig(fileOf("config.json", JSON.stringify(keys)), {}, knownFamilies);
  expect(made.ok && made.value.notes.map(({ message }) => message)).toEqual(notes);
});

test("experts are counted under either name, and a head that is not said follows from the sizes", () => {
  const lines = (config: object) => {
    const file = fileOf("config.json", JSON.stringify({ ...topOnes, ...config }));
    const made = readConfig(file, { sequence: 16 }, knownFamilies);
    if (!made.ok) return [];
    expect(made.value.notes).toEqual([]);
    return (made.value.program ?? "").match(/^(?:num_experts|head_dim) = .*$/gmu);
  };
  const head = "head_dim = hidden_size // num_attention_heads";
  expect(lines({ num_local_experts: 4 })).toEqual([head, "num_experts = 4"]);
  expect(lines({ num_experts: 4, head_dim: 64 })).toEqual(["head_dim = 64", "num_experts = 4"]);
});

test("a size that is null is not taken for the usual one", () => {
  const families = {
    list: [{ model_type: ["low"], text: "low.py", title: "Low", defaults: { rank: 8 } }],
    texts: new Map([["low.py", "B = 1\nrank = 4\nx = Tensor((B, rank))\n"]]),
  };
  const read = (keys: unknown) =>
    readConfig(
      fileOf("config.json", JSON.stringify({ model_type: "low", ...Object(keys) })),
      {},
      families,
    );
  expect(read({}).ok).toBe(true);
  expect(read({ rank: null }).diagnostics[0]?.message).toContain("its rank is null");
});

test("numbers that Python alone has a word for do not end the reading", () => {
  const text = JSON.stringify(whole).replace("}", ', "limit": [0.0, Infinity], "s": "[Infinity]"}');
  const made = readConfig(fileOf("config.json", text), {}, llamaFamily);
  expect(made.ok && made.value.notes[0]?.message).toBe("not modelled: limit, s = [Infinity]");
});

test("inputs have the type of the weights too", () => {
  const text = 'B = 1\nx = Tensor((B, 2), "bfloat16")\n';
  const families = {
    list: [{ model_type: ["typed"], text: "typed.py", title: "Typed", defaults: {} }],
    texts: new Map([["typed.py", text]]),
  };
  const file = fileOf("config.json", JSON.stringify({ model_type: "typed", dtype: "float16" }));
  const made = readConfig(file, {}, families);
  expect(made.ok && made.value.program).toContain('Tensor((B, 2), "f16")');
});

test("a file of more than 1 MiB, and one that is no JSON, are refused unread", () => {
  const large = fileOf("config.json", `{"model_type": "llama", "x": "${"y".repeat(2 ** 20)}"}`);
  expect(readConfig(large, {}, llamaFamily).ok).toBe(false);
  expect(readConfig(fileOf("config.json", '{"model_type":'), {}, llamaFamily).ok).toBe(false);
});

test("no value of a configuration becomes anything but one literal, whatever stands in it", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, text, (value, key) => {
      const written = pythonOf(value) ?? "";
      expect(written).toMatch(/^"(?:[^"\\\n]|\\.)*"$/u);
      const config = { ...whole, architectures: [value], [`x${key}`]: value };
      const lines = programOf(config).split(/[\n\r\u2028\u2029]/u);
      const plain = programOf(whole).split("\n");
      const rest = lines.filter((line) => !line.startsWith("#"));
      expect(rest).toEqual(plain.filter((line) => !line.startsWith("#")));
    }),
    { seed: 1 },
  );
});

test("classes are counted where only their names are said", () => {
  const vit = {
    ...{ model_type: "vit", architectures: ["ViTForImageClassification"], hidden_size: 768 },
    id2label: { 0: "cat", 1: "dog", 2: "fish" },
  };
  const programFrom = (config: unknown) => {
    const made = readConfig(fileOf("config.json", JSON.stringify(config)), {}, knownFamilies);
    return made.ok ? made.value.program : undefined;
  };
  expect(programFrom(vit)).toContain("\nnum_labels = 3\n");
  expect(programFrom({ ...vit, num_labels: 7 })).toContain("\nnum_labels = 7\n");
});
