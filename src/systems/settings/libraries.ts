import { precision, recompute, sequence, torchrun, types, zero } from "./common.ts";
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
    "bf16.enabled": (said, so, word) => {
      const narrow = (draft: Draft) => Object.assign(draft, narrowGradients);
      if (said !== "auto") flag(narrow)(said, so, word);
    },
    "fp16.enabled": (said, so, word) => {
      if (said !== "auto") flag(types("fp16.enabled"))(said, so, word);
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

/** 16-bit weights and gradients, with 32-bit master weights and moments. */
const narrowGradients = { precision: "megatron", gradients: "bf16" } as const;

/** A setting whose value "auto" is left to the trainer that calls DeepSpeed. */
function auto(name: "globalBatch" | "localBatch" | "microbatches") {
  const meaning = degree(name);
  return (said: Parameters<typeof meaning>[0], so: Draft, word: string) => {
    if (said !== "auto") meaning(said, so, word);
  };
}

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
      bf16: precision("autocast"),
      fp16: types('mixed_precision: "fp16"'),
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
  finish: (so, said) => {
    const type = said.get("distributed_type");
    if (type === undefined) throw new BadValue("distributed_type is missing");
    if (so.precision === undefined) return;
    const policies: Readonly<Record<string, Partial<Draft>>> = {
      FSDP: { precision: "fsdp" },
      DEEPSPEED: narrowGradients,
      MEGATRON_LM: { precision: "megatron" },
    };
    Object.assign(so, policies[String(type)]);
  },
};

function hybrid(so: Draft): void {
  so.zero = 3;
  so.unmodelled.push(
    "fsdp_sharding_strategy: HYBRID_SHARD, whose replicas of shards are one group here",
  );
}
