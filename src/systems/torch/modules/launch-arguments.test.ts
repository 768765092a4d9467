import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { writeCode } from "../../code.testing.ts";

interface Case {
  readonly name: string;
  readonly model: string;
  readonly plan: string;
}

const cases: readonly Case[] = JSON.parse(readFileSync("engines/models/plans.json", "utf8"));

/** The arguments of a case, with another step of training than its text has, or none. */
function argumentsOf(name: string, train = "train(loss)\n"): string {
  const found = cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no case ${name}`);
  const text = readFileSync(`engines/models/${found.model}.py`, "utf8");
  const code = writeCode(compile(text.replace("train(loss)\n", train) + found.plan), "arguments");
  return code.ok ? code.files[0].text : code.reason;
}

test("a model that is cut as Megatron-LM cuts it is launched by its arguments", () => {
  const [megatron, deepspeed] = argumentsOf("llama-sequence-zero3").split("\n\n");
  expect(megatron).toBe(
    "# Megatron-LM\n--tensor-model-parallel-size 4 --sequence-parallel --use-torch-fsdp2 --no-gradient-accumulation-fusion --ckpt-format torch_dist",
  );
  expect(deepspeed).toBe(
    "# DeepSpeed has no words for it: its tensor parallelism keeps sequences whole",
  );
});

test.each([
  [0, '{"zero_optimization":{"stage":0}}'],
  [1, '{"zero_optimization":{"stage":1}}'],
  [2, '{"zero_optimization":{"stage":2}}'],
  [3, '{"zero_optimization":{"stage":3}}'],
])("what of a parameter is cut is the stage %i of DeepSpeed", (zero, config) => {
  expect(argumentsOf("gpt-copies", `train(loss, zero=${zero})\n`)).toContain(config);
});

test("a model that is not trained is served by vLLM, if every rank holds its parameters", () => {
  const program = cases.find(({ name }) => name === "gpt-loss-parallel");
  const text = readFileSync("engines/models/gpt.py", "utf8").replace("train(loss)\n", "");
  const whole = (program?.plan ?? "").replace(/^(?:for layer|.*fully_shard\().*\n/gmu, "");
  const code = writeCode(compile(text + whole), "arguments");
  expect(code.ok && code.files[0].text).toContain("# vLLM\n--tensor-parallel-size 4\n");
  expect(argumentsOf("gpt-loss-parallel", "")).toContain(
    "every rank of it holds its parameters, and the plan cuts them",
  );
});

test.each([
  ["gpt-fused-gathered", "the plan gathers what blocks.*.attn.qkv makes"],
  ["gpt-fused-heads", "the plan gathers what blocks.*.attn.qkv makes"],
  ["gpt-tensor-hybrid", "the plan cuts over dp and copies over copies"],
  ["gpt-sequence", "it cuts the table of words by words, and the plan does not"],
  ["mlp-two-axes", "parallelize_module takes one axis"],
])("of %s it is said why it has no words there", (name, why) => {
  expect(argumentsOf(name)).toContain(why);
});

test("a block of which a layer is whole is none that a launcher makes", () => {
  const found = cases.find(({ name }) => name === "gpt-tensor-zero3");
  const part = (found?.plan ?? "").replace(/^ {4}"blocks\.\*\.mlp.*\n/gmu, "");
  const code = writeCode(
    compile(readFileSync("engines/models/gpt.py", "utf8") + part),
    "arguments",
  );
  expect(code.ok ? "" : code.reason).toContain("the plan keeps blocks.*.mlp.up whole");
});

test("ranks that share a layer are next to each other there", () => {
  const found = cases.find(({ name }) => name === "gpt-tensor-zero3");
  const turned = (found?.plan ?? "").replace(
    '(2, 4), mesh_dim_names=("dp", "tp")',
    '(4, 2), mesh_dim_names=("tp", "dp")',
  );
  const code = writeCode(
    compile(readFileSync("engines/models/gpt.py", "utf8") + turned),
    "arguments",
  );
  expect(code.ok ? "" : code.reason).toContain("tp is not the innermost axis");
});
