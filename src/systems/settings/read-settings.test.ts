import fc from "fast-check";
import { expect, test } from "vitest";
import { holdsSettings, readSettings } from "./index.ts";

const megatron = `torchrun --nproc-per-node 8 --nnodes=2 pretrain_gpt.py \\
  --tensor-model-parallel-size 4 --sequence-parallel  # both
  --use-distributed-optimizer --bf16 --micro-batch-size 1 --global-batch-size 64 \\
  --num-layers 32 --lr 1e-4`;

const accelerate = `compute_environment: LOCAL_MACHINE
distributed_type: FSDP
fsdp_config:
  fsdp_sharding_strategy: SHARD_GRAD_OP
  fsdp_offload_params: false
mixed_precision: bf16
num_processes: 16
`;

const torchtitan = `[model]
name = "llama3"
[parallelism]
data_parallel_shard_degree = -1
tensor_parallel_degree = 8
pipeline_parallel_degree = 2
[activation_checkpoint]
mode = "full"
`;

const deepspeed = `{"train_batch_size": 64, "train_micro_batch_size_per_gpu": "auto",
 "zero_optimization": {"stage": 2, "overlap_comm": true, "offload_optimizer": {"device": "none"}},
 "bf16": {"enabled": true}}`;

const maxtext = `model_name: llama3-8b
ici_fsdp_parallelism: 8
ici_tensor_parallelism: 4
dcn_data_parallelism: 2
remat_policy: full
`;

const whole = { tensor: 1, sequence: false, pipeline: 1, context: 1, expert: 1, notes: [] };

test.each([
  [
    "Megatron-LM",
    megatron,
    {
      ...{ devices: 16, tensor: 4, sequence: true, zero: 1, precision: "megatron" },
      ...{ localBatch: 1, globalBatch: 64 },
    },
  ],
  ["Accelerate", accelerate, { devices: 16, zero: 2, precision: "fsdp" }],
  [
    "torchtitan",
    torchtitan,
    {
      ...{ tensor: 8, sequence: true, pipeline: 2, zero: 3 },
      recompute: "full",
      precision: "fsdp",
    },
  ],
  ["DeepSpeed", deepspeed, { zero: 2, globalBatch: 64, precision: "megatron", gradients: "bf16" }],
  ["MaxText", maxtext, { data: 16, tensor: 4, zero: 3, recompute: "full", precision: "fsdp" }],
  ["vLLM", "vllm serve m -tp 8 --enable-expert-parallel", { data: 1, tensor: 8, expert: 8 }],
  [
    "SGLang",
    "python -m sglang.launch_server --tp 4 --ep-size 2",
    { data: 1, tensor: 4, expert: 2 },
  ],
])("settings of %s are read", (tool, text, said) => {
  expect(readSettings(text)).toEqual({
    ok: true,
    diagnostics: [],
    value: { tool, ...whole, ...said },
  });
});

test.each([
  [megatron, true],
  [accelerate, true],
  [torchtitan, true],
  [deepspeed, true],
  [maxtext, true],
  ['{"zero_optimization": {"stage": 4}}', true],
  ["import argparse\nparser.add_argument('--tp-size')", false],
  ["x = Tensor((4, 4))\ny = relu(x)", false],
  ['{"nodes": []}', false],
  ["{", false],
  ["", false],
])("texts with settings are told from others: %s", (text, isSo) => {
  expect(holdsSettings(text)).toBe(isSo);
});

test.each([
  ["--tensor-model-parallel-size 2 --tp-comm-overlap", "not modelled: tp-comm-overlap"],
  ["--tensor-parallel-size 2 --cpu-offload-gb 4", "not modelled: cpu-offload-gb"],
  ["--tensor-parallel-size 2 --cpu-offload-gb 0", undefined],
  ["--tensor-parallel-size 2 --splines reticulated", "splines is not known: it is left out"],
  [
    '{"zero_optimization": {"stage": 3, "offload_param": {"device": "cpu"}}, "a": 1, "b": {"c": 2}}',
    "not modelled: zero_optimization.offload_param.device",
  ],
])("what is not modelled or known is named, once: %s", (text, message) => {
  const read = readSettings(text);
  const [note] = read.ok ? read.value.notes : [];
  expect(note?.message).toBe(message);
  const code = /known/.test(message ?? "") ? "settings/unknown-word" : "settings/not-modelled";
  if (message !== undefined) expect(note).toEqual({ code, severity: "warning", message });
});

test.each([
  ["--tensor-model-parallel-size many", 'tensor-model-parallel-size is "many", not a whole number'],
  ["--tensor-parallel-size 1.5", 'tensor-parallel-size is "1.5", not a whole number'],
  ["--tensor-parallel-size", "tensor-parallel-size is true, not a whole number"],
  [
    '{"zero_optimization": {"stage": 4}}',
    'zero_optimization.stage is 4, not "0" or "1" or "2" or "3"',
  ],
  ["{", "this is no JSON:"],
  ["[parallelism]\ntensor_parallel_degree = ", "this is no TOML:"],
  ["x = Tensor((4, 4))\ny = relu(x)", "these are no settings"],
  ["hello", "these are no settings"],
  ["", "these are no settings"],
  [`{"zero_optimization": ${"[".repeat(200_000)}`, "a text of this length is no settings"],
])("what is no setting is refused by its word: %s", (text, message) => {
  const read = readSettings(text);
  expect(read.ok).toBe(false);
  expect(read.diagnostics[0]?.code).toBe("settings/unreadable");
  expect(read.diagnostics[0]?.message).toContain(message);
});

test("no text makes it fail otherwise", () => {
  const words = fc.constantFrom(
    ...[
      "--tp",
      "--tensor-model-parallel-size",
      "=",
      "8",
      "-1",
      "\n",
      "[parallelism]",
      "{",
      "}",
      ":",
    ],
    ...[
      '"zero_optimization"',
      "stage",
      "ici_fsdp_parallelism",
      "distributed_type: FSDP",
      "&a",
      "*a",
    ],
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(words).map((list) => list.join(" ")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const read = readSettings(text);
      expect(read.ok || read.diagnostics.length === 1).toBe(true);
    }),
    { numRuns: 500 },
  );
});
