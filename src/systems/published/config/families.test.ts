import { describe, expect, test } from "vitest";
import { compile } from "#compile";
import { readDocument } from "#systems";
import { knownFamilies } from "#systems/families";
import published from "../../families/published.json";
import { fileOf, madeOnly } from "../published.testing.ts";
import { readConfig } from "./read-config.ts";

/** The program of a configuration as it was published, by its family's name and sizes. */
function programOf(text: string, config: Readonly<Record<string, unknown>>): string {
  const family = knownFamilies.list.find((each) => each.text === text);
  const identity = { model_type: family?.model_type[0], architectures: family?.architectures };
  const file = fileOf("config.json", JSON.stringify({ ...identity, ...config }));
  const made = readConfig(file, { sequence: 32 }, knownFamilies);
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
  return made.value.program ?? "";
}

/** Layers that hold every kind of layer of a family: the longest pattern repeats after six. */
const mostLayers = 6;

/** The program with so many layers at most: a further one is planned as another of its kind is. */
function withFewLayers(program: string): string {
  return program.replaceAll(
    /^(\w*layers?) = (\d+)$/gmu,
    (_, key: string, count: string) => `${key} = ${Math.min(Number(count), mostLayers)}`,
  );
}

describe.each(published)("$name", ({ text, parameters, config }) => {
  const program = programOf(text, config);

  test("has the parameters that were published", () => {
    expect(readDocument(madeOnly(program)).modules.get("model")).toBe(parameters);
  });

  test("is planned without an error or a warning", () => {
    const { diagnostics, modules } = compile(withFewLayers(program));
    expect(modules?.get("model")).toBeGreaterThan(0);
    expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  });
});

const ends = knownFamilies.list.flatMap((family) =>
  Object.entries(family.ends ?? {}).map(([name, end]) => ({ name, end, family })),
);

test.each(ends)("$name is planned without an error or a warning", ({ name, end, family }) => {
  const model = published.find(({ text }) => text === family.text);
  const identity = { model_type: family.model_type[0], architectures: [name] };
  const file = fileOf("config.json", JSON.stringify({ ...identity, ...model?.config }));
  const made = readConfig(file, { sequence: 32 }, knownFamilies);
  expect(made.ok && made.value.notes).toEqual([]);
  const program = (made.ok && made.value.program) || "";
  expect(program).toMatch(new RegExp(`^model = ${end}\\(`, "mu"));
  const { diagnostics } = compile(withFewLayers(program));
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
});

test("families of one class have the same further classes, of which a configuration says which text it is", () => {
  const { list } = knownFamilies;
  const apart = ends.flatMap(({ name, end, family }) =>
    list.filter(
      ({ architectures, ends: others = {} }) =>
        name === end && architectures?.[0] === family.architectures?.[0] && !(name in others),
    ),
  );
  expect(apart.map(({ text }) => text)).toEqual([]);
});

test("every family is held against configurations that were published", () => {
  const held = new Set(published.map(({ text }) => text));
  expect(knownFamilies.list.map(({ text }) => text).filter((text) => !held.has(text))).toEqual([]);
});

test("a configuration of Mamba-2 as it is published leaves nothing out, and one of Mamba-1 has no text", () => {
  const config = `{"architectures": ["Mamba2ForCausalLM"], "model_type": "mamba2", "num_heads": 128,
    "head_dim": 64, "vocab_size": 32768, "hidden_size": 4096, "state_size": 128, "expand": 2,
    "num_hidden_layers": 64, "layer_norm_epsilon": 1e-05, "conv_kernel": 4, "n_groups": 8,
    "use_bias": false, "use_conv_bias": true, "hidden_act": "silu", "residual_in_fp32": true,
    "norm_before_gate": true, "rms_norm": true, "time_step_rank": 256, "chunk_size": 256,
    "time_step_limit": [0.0, Infinity], "tie_word_embeddings": false, "torch_dtype": "bfloat16"}`;
  const read = (text: string) => readConfig(fileOf("config.json", text), {}, knownFamilies);
  const made = read(config);
  expect(made.ok && made.value.notes).toEqual([]);
  const earlier = read(config.replaceAll("amba2", "amba"));
  expect(earlier.ok ? "" : earlier.diagnostics[0]?.message).toContain(
    'there is no text for "mamba"; there are texts for',
  );
});

test("a configuration of Falcon with ALiBi, as its RW models have it, is another net and refused", () => {
  const own = { model_type: "falcon", architectures: ["FalconForCausalLM"], hidden_size: 2048 };
  const read = (more: object) =>
    readConfig(fileOf("config.json", JSON.stringify({ ...own, ...more })), {}, knownFamilies);
  expect(read({ multi_query: true, alibi: false }).ok).toBe(true);
  const others = [{ alibi: true }, { multi_query: false }, { parallel_attn: false }];
  const newer = { new_decoder_architecture: true, alibi: true };
  const said = [...others, newer].map(read).map((made) => !made.ok && made.diagnostics[0]?.message);
  expect(said).toEqual([
    expect.stringContaining('there is no text for "falcon" with alibi = true'),
    expect.stringContaining('there is no text for "falcon" with multi_query = false'),
    expect.stringContaining('there is no text for "falcon" with parallel_attn = false'),
    expect.stringContaining("another net than Falcon 40B and 180B"),
  ]);
});
