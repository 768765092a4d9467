import { precision, recompute, sequence, torchrun, types, zero } from "./common.ts";
import { choice, degree, factor, flag, type Tool, unmodelled, wholeOf } from "./words.ts";

/** Arguments of `pretrain_gpt.py` (megatron/training/arguments.py of Megatron-LM core 0.14). */
export const megatron: Tool = {
  name: "Megatron-LM",
  words: {
    ...torchrun,
    "tensor-model-parallel-size": degree("tensor"),
    "sequence-parallel": sequence,
    "pipeline-model-parallel-size": degree("pipeline"),
    "num-layers-per-virtual-pipeline-stage": unmodelled,
    "num-virtual-stages-per-pipeline-rank": unmodelled,
    "context-parallel-size": degree("context"),
    "hierarchical-context-parallel-sizes": unmodelled,
    "expert-model-parallel-size": degree("expert"),
    "expert-tensor-parallel-size": unmodelled,
    "use-distributed-optimizer": flag((so) => {
      so.zero ??= 1;
    }),
    "use-torch-fsdp2": flag(zero(3)),
    "data-parallel-sharding-strategy": choice({
      no_shard: zero(0),
      optim: zero(1),
      optim_grads: zero(2),
      optim_grads_params: zero(3),
    }),
    bf16: flag(precision("megatron")),
    fp16: flag(types("fp16")),
    "micro-batch-size": degree("localBatch"),
    "global-batch-size": degree("globalBatch"),
    "recompute-granularity": choice({ full: recompute("full"), selective: recompute("none") }),
    "recompute-activations": flag(recompute("none")),
    "tp-comm-overlap": unmodelled,
    "cpu-offloading-num-layers": unmodelled,
    "optimizer-cpu-offload": unmodelled,
    fp8: unmodelled,
    "fp8-format": unmodelled,
  },
  others:
    /^(num-|hidden-|ffn-|seq-|max-|kv-|group-|normalization|swiglu|position-|rotary-|use-rotary|no-|untie|disable-bias|attention-|vocab-|make-|tokenizer|data-|split|train-|eval-|save|load|log-|tensorboard|wandb|lr|min-lr|weight-|adam-|clip-|init-|optimizer$|override-|transformer-impl|use-(mcore|flash|legacy|cpu|megatron|precision|checkpoint|dist|tokenizer)|distributed-(backend|timeout)|overlap-|ckpt-|dist-|exit-|seed|timing-|moe-|multi-latent|qk-|q-lora|v-head|mock-|async-|manual-gc|master-|rdzv|node-rank|bias-|hysteresis|loss-|initial-|accumulate-|attention|spec|ddp-|grad-|cross-entropy|te-|rope-|apply-|recompute-(method|num-layers|modules)|enable-|profile)/,
};

/**
 * A job of torchtitan (torchtitan/config/job_config.py, 0.2), whose models also use sequence
 * parallelism.
 */
export const torchtitan: Tool = {
  name: "torchtitan",
  words: {
    ...torchrun,
    "parallelism.data_parallel_replicate_degree": degree("data"),
    "parallelism.data_parallel_shard_degree": (said, so, word) => {
      const shards = wholeOf(said, word);
      if (shards === 1) return;
      so.zero = 3;
      const { data = 1 } = so;
      if (shards > 1) so.data = data * shards;
      else delete so.data;
      if (data > 1) so.unmodelled.push("parallelism.data_parallel_replicate_degree");
    },
    "parallelism.fsdp_reshard_after_forward": choice({
      default: () => undefined,
      always: () => undefined,
      never: (so) => {
        so.zero = 2;
      },
    }),
    "parallelism.tensor_parallel_degree": (said, so, word) => {
      degree("tensor")(said, so, word);
      so.sequence = so.tensor > 1;
    },
    "parallelism.pipeline_parallel_degree": degree("pipeline"),
    "parallelism.context_parallel_degree": degree("context"),
    "parallelism.expert_parallel_degree": degree("expert"),
    "parallelism.expert_tensor_parallel_degree": unmodelled,
    "parallelism.enable_async_tensor_parallel": unmodelled,
    "parallelism.disable_loss_parallel": unmodelled,
    "training.local_batch_size": degree("localBatch"),
    "training.batch_size": degree("localBatch"),
    "training.global_batch_size": degree("globalBatch"),
    "training.mixed_precision_param": choice({
      bfloat16: precision("fsdp"),
      float16: types("training.mixed_precision_param float16"),
      float32: () => undefined,
    }),
    "training.enable_cpu_offload": unmodelled,
    "activation_checkpoint.mode": choice({
      none: recompute("none"),
      selective: (so) => so.unmodelled.push('activation_checkpoint.mode = "selective"'),
      full: recompute("full"),
    }),
    "float8.enable_fsdp_float8_all_gather": unmodelled,
  },
  others:
    /^(job|profiling|metrics|model|optimizer|lr_scheduler|training|parallelism\.(pipeline_parallel_|context_parallel_|module_|experts_per)|checkpoint|activation_checkpoint|compile|comm|memory_estimation|fault_tolerance|experimental|validation|quantize|float8|mx|debug)\b/,
  finish: (so, said) => {
    if (so.zero === 3 && !said.has("training.mixed_precision_param")) so.precision = "fsdp";
  },
};

/**
 * A configuration of MaxText (src/MaxText/configs/base.yml): degrees inside a slice and between
 * slices.
 */
export const maxtext: Tool = {
  name: "MaxText",
  words: {
    ...Object.fromEntries(
      ["ici", "dcn"].flatMap((fabric) => [
        [`${fabric}_data_parallelism`, factor("data")],
        [
          `${fabric}_fsdp_parallelism`,
          ((said, so, word) => {
            const shards = wholeOf(said, word);
            if (shards === 1) return;
            so.zero = 3;
            if (shards > 1) so.data = (so.data ?? 1) * shards;
          }) satisfies Tool["words"][string],
        ],
        [`${fabric}_tensor_parallelism`, factor("tensor")],
        [`${fabric}_expert_parallelism`, factor("expert")],
        [`${fabric}_pipeline_parallelism`, factor("pipeline")],
        [`${fabric}_context_parallelism`, factor("context")],
        ...[
          "fsdp_transpose",
          "sequence",
          "tensor_transpose",
          "tensor_sequence",
          "autoregressive",
        ].map((name) => [`${fabric}_${name}_parallelism`, unmodelled]),
      ]),
    ),
    per_device_batch_size: (said, so) => {
      if (Number.isInteger(Number(said)) && Number(said) > 0) so.localBatch = Number(said);
    },
    gradient_accumulation_steps: degree("microbatches"),
    dtype: choice({ bfloat16: precision("fsdp"), float32: () => undefined }),
    remat_policy: choice({
      full: recompute("full"),
      minimal: (so) => so.unmodelled.push('remat_policy: "minimal"'),
      none: recompute("none"),
      custom: (so) => so.unmodelled.push('remat_policy: "custom"'),
    }),
    quantization: unmodelled,
  },
  others: /^(?!(ici|dcn)_\w+_parallelism$)/,
  finish: (so, said) => {
    if (!said.has("dtype")) so.precision = "fsdp";
  },
};
