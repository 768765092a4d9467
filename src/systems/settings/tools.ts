import {
  BadValue,
  choice,
  type Draft,
  degree,
  factor,
  flag,
  type Tool,
  unmodelled,
  wholeOf,
} from "./words.ts";

const precision = (name: NonNullable<Draft["precision"]>) => (so: Draft) => {
  so.precision = name;
};

const zero = (stage: 0 | 1 | 2 | 3) => (so: Draft) => {
  so.zero = stage;
};

const sequence = flag((so) => {
  so.sequence = true;
});

const recompute = (what: "full" | "none") => (so: Draft) => {
  so.recompute = what;
};

/** What starts the processes: `torchrun --nnodes 4 --nproc-per-node 8`. */
const torchrun = {
  "nproc-per-node": factor("devices"),
  nnodes: factor("devices"),
  "world-size": degree("devices"),
};

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
    bf16: flag(precision("bf16")),
    fp16: flag(precision("f16")),
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

/** Flags of `vllm serve` (vllm/engine/arg_utils.py of vLLM 0.11). */
export const vllm: Tool = {
  name: "vLLM",
  words: {
    "tensor-parallel-size": degree("tensor"),
    tp: degree("tensor"),
    "pipeline-parallel-size": degree("pipeline"),
    pp: degree("pipeline"),
    "data-parallel-size": degree("data"),
    dp: degree("data"),
    "decode-context-parallel-size": unmodelled,
    dcp: unmodelled,
    "enable-expert-parallel": flag((so) => {
      so.sharesExperts = true;
    }),
    "enable-eplb": unmodelled,
    "cpu-offload-gb": unmodelled,
    quantization: unmodelled,
    q: unmodelled,
    "kv-cache-dtype": unmodelled,
    "speculative-config": unmodelled,
    dtype: choice({
      auto: () => undefined,
      half: precision("f16"),
      float16: precision("f16"),
      bfloat16: precision("bf16"),
      float: precision("f32"),
      float32: precision("f32"),
    }),
  },
  others:
    /^(model|served-|tokenizer|trust-|host|port|max-|gpu-memory|enable-(prefix|chunked|auto|log|request|lora|sleep)|disable-|no-|block-size|swap-|seed|api-|chat-|tool-|reasoning|load-|download|revision|hf-|distributed-executor|enforce-|uvicorn|data-parallel-(address|rpc|rank|start|backend|size-local)|limit-|mm-|lora|compilation|O$|allowed|response|root-|ssl|scheduling|async-|kv-(transfer|events)|config$|rope-|generation)/,
  finish: (so) => {
    so.data ??= 1;
    if (so.sharesExperts === true) so.expert = so.tensor * so.data;
  },
};

/** Flags of `sglang.launch_server` (python/sglang/srt/server_args.py of SGLang 0.5). */
export const sglang: Tool = {
  name: "SGLang",
  words: {
    "tensor-parallel-size": degree("tensor"),
    "tp-size": degree("tensor"),
    tp: degree("tensor"),
    "pipeline-parallel-size": degree("pipeline"),
    "pp-size": degree("pipeline"),
    pp: degree("pipeline"),
    "data-parallel-size": degree("data"),
    "dp-size": degree("data"),
    dp: degree("data"),
    "expert-parallel-size": degree("expert"),
    "ep-size": degree("expert"),
    ep: degree("expert"),
    "enable-dp-attention": unmodelled,
    "enable-dp-lm-head": unmodelled,
    "moe-dense-tp-size": unmodelled,
    quantization: unmodelled,
    "kv-cache-dtype": unmodelled,
    "speculative-algorithm": unmodelled,
    dtype: vllm.words["dtype"] ?? unmodelled,
  },
  others:
    /^(model|served-|tokenizer|trust-|host|port|mem-|max-|chunked-|schedule|context-length|random-|log-|api-|attention-|sampling|grammar|cuda-|enable-(torch|metrics|cache|mixed|memory|nccl|flashinfer|p2p|two|deepep|eplb|mscclpp|hierarchical|lora|multimodal|tokenizer|custom)|disable-|moe-(a2a|runner)|deepep|load-|download|revision|dist-|nnodes|node-rank|stream|tool-|reasoning|chat-|json-|watchdog|device$|page-size|speculative-(num|draft|eagle)|lora|constrained|decode-|prefill|hicache|triton|torch-|skip-|is-|warmups|fp8|ep-(num|dispatch))/,
  finish: (so) => {
    so.data ??= 1;
  },
};

/** A configuration of DeepSpeed (deepspeed.ai, "DeepSpeed Configuration JSON", 0.17). */
export const deepspeed: Tool = {
  name: "DeepSpeed",
  words: {
    ...torchrun,
    num_gpus: factor("devices"),
    num_nodes: factor("devices"),
    "zero_optimization.stage": choice({ 0: zero(0), 1: zero(1), 2: zero(2), 3: zero(3) }),
    "zero_optimization.offload_optimizer.device": unmodelled,
    "zero_optimization.offload_param.device": unmodelled,
    "zero_optimization.zero_hpz_partition_size": unmodelled,
    "zero_optimization.zero_quantized_weights": unmodelled,
    "zero_optimization.zero_quantized_gradients": unmodelled,
    "zero_optimization.mics_shard_size": unmodelled,
    "tensor_parallel.autotp_size": degree("tensor"),
    "tensor_parallel.tp_size": degree("tensor"),
    sequence_parallel_size: unmodelled,
    "pipeline.stages": degree("pipeline"),
    "bf16.enabled": flag(precision("bf16")),
    "fp16.enabled": (said, so, word) => {
      if (said !== "auto") flag(precision("f16"))(said, so, word);
    },
    train_batch_size: auto("globalBatch"),
    train_micro_batch_size_per_gpu: auto("localBatch"),
    gradient_accumulation_steps: auto("microbatches"),
    "activation_checkpointing.partition_activations": unmodelled,
    "activation_checkpointing.cpu_checkpointing": unmodelled,
    "compression_training.weight_quantization.shared_parameters.enabled": unmodelled,
  },
  others:
    /^(zero_optimization\.(contiguous|overlap|reduce|allgather|round_robin|sub_group|stage3_|load_from|ignore|elastic|memory|offload_(optimizer|param)\.(pin|buffer|ratio|fast|nvme|pipeline|max))|fp16\.|bf16\.|optimizer\.|scheduler\.|gradient_clipping|steps_per_print|wall_clock|dump_state|tensorboard|wandb|comms_logger|flops_profiler|activation_checkpointing\.|prescale|gradient_predivide|zero_allow|zero_force|communication_data|data_types|aio|checkpoint|elasticity|autotuning|csv_monitor|amp|sparse_|dataloader|seq_parallel_comm|tensor_parallel\.|pipeline\.|compile|monitor)/,
};

/** "auto" leaves it to the trainer that calls DeepSpeed. */
function auto(name: "globalBatch" | "localBatch" | "microbatches") {
  const meaning = degree(name);
  return (said: Parameters<typeof meaning>[0], so: Draft, word: string) => {
    if (said !== "auto") meaning(said, so, word);
  };
}

/** A job of torchtitan (torchtitan/config/job_config.py, 0.2): its models cut the sequence too. */
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
      bfloat16: precision("bf16"),
      float16: precision("f16"),
      float32: precision("f32"),
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
};

/** A configuration of MaxText (src/MaxText/configs/base.yml): degrees inside a slice and between them. */
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
    dtype: choice({ bfloat16: precision("bf16"), float32: precision("f32") }),
    remat_policy: choice({
      full: recompute("full"),
      minimal: (so) => so.unmodelled.push('remat_policy: "minimal"'),
      none: recompute("none"),
      custom: (so) => so.unmodelled.push('remat_policy: "custom"'),
    }),
    quantization: unmodelled,
  },
  others: /^(?!(ici|dcn)_\w+_parallelism$)/,
};

/** A configuration of Accelerate (`accelerate config`, 1.10). */
export const accelerate: Tool = {
  name: "Accelerate",
  words: {
    num_processes: degree("devices"),
    distributed_type: choice({
      ...Object.fromEntries(
        ["no", "multi_gpu", "fsdp", "deepspeed", "megatron_lm"].map((name) => [name, () => {}]),
      ),
    }),
    mixed_precision: choice({
      no: () => undefined,
      bf16: precision("bf16"),
      fp16: precision("f16"),
      fp8: (so) => so.unmodelled.push('mixed_precision: "fp8"'),
    }),
    gradient_accumulation_steps: degree("microbatches"),
    "fsdp_config.fsdp_sharding_strategy": choice({
      ...{ full_shard: zero(3), shard_grad_op: zero(2), no_shard: zero(0) },
      ...{ 1: zero(3), 2: zero(2), 3: zero(0) },
      hybrid_shard: hybrid,
      hybrid_shard_zero2: hybrid,
    }),
    "fsdp_config.fsdp_version": () => undefined,
    "fsdp_config.fsdp_reshard_after_forward": choice({
      ...{ true: zero(3), full_shard: zero(3) },
      ...{ false: zero(2), shard_grad_op: zero(2), no_shard: zero(0), hybrid_shard: hybrid },
    }),
    "fsdp_config.fsdp_activation_checkpointing": flag(recompute("full")),
    "fsdp_config.fsdp_offload_params": unmodelled,
    "deepspeed_config.zero_stage": choice({ 0: zero(0), 1: zero(1), 2: zero(2), 3: zero(3) }),
    "deepspeed_config.gradient_accumulation_steps": auto("microbatches"),
    "deepspeed_config.offload_optimizer_device": unmodelled,
    "deepspeed_config.offload_param_device": unmodelled,
    "megatron_lm_config.megatron_lm_tp_degree": degree("tensor"),
    "megatron_lm_config.megatron_lm_pp_degree": degree("pipeline"),
    "megatron_lm_config.megatron_lm_sequence_parallelism": sequence,
    "megatron_lm_config.megatron_lm_num_micro_batches": degree("microbatches"),
    "megatron_lm_config.megatron_lm_use_distributed_optimizer": flag(zero(1)),
    "megatron_lm_config.megatron_lm_recompute_activations": flag(recompute("none")),
    "parallelism_config.parallelism_config_tp_size": degree("tensor"),
    "parallelism_config.parallelism_config_dp_shard_size": (said, so, word) => {
      const shards = wholeOf(said, word);
      if (shards > 1) Object.assign(so, { zero: 3, data: (so.data ?? 1) * shards });
    },
    "parallelism_config.parallelism_config_dp_replicate_size": factor("data"),
    "parallelism_config.parallelism_config_cp_size": degree("context"),
  },
  others:
    /^(compute_environment|debug|downcast_bf16|machine_rank|main_|num_machines|rdzv|same_network|tpu_|use_cpu|enable_cpu|dynamo|gpu_ids|deepspeed_config\.|fsdp_config\.|megatron_lm_config\.megatron_lm_gradient|parallelism_config\.|mpirun|ipex)/,
  finish: (_, said) => {
    if (said.has("distributed_type")) return;
    throw new BadValue("distributed_type is missing");
  },
};

function hybrid(so: Draft): void {
  so.zero = 3;
  so.unmodelled.push(
    "fsdp_sharding_strategy: HYBRID_SHARD, whose replicas of shards are one group here",
  );
}
