// The parameters of PyTorch 2.13's words for several devices: what they are not given is refused.

import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { hostFunction } from "#language/document/bindings/values";
import type { Argument, ClassValue, Context, Value } from "#language/python";

/** By word its parameters; those behind a star are given by name alone. */
const parameters: Readonly<Record<string, string>> = {
  CPUOffload: "offload_params",
  CPUOffloadPolicy: "pin_memory",
  ColwiseParallel: "* input_layouts output_layouts use_local_output",
  DistributedDataParallel:
    "module device_ids output_device dim broadcast_buffers init_sync process_group bucket_cap_mb find_unused_parameters check_reduction gradient_as_bucket_view static_graph delay_all_reduce_named_params param_to_hook_all_reduce mixed_precision device_mesh skip_all_reduce_unused_params bucket_cap_mb_list batched_grad_copy forward_sync_buffers",
  FullyShardedDataParallel:
    "module process_group sharding_strategy cpu_offload auto_wrap_policy backward_prefetch mixed_precision ignored_modules param_init_fn device_id sync_module_states forward_prefetch limit_all_gathers use_orig_params ignored_states device_mesh",
  MixedPrecision:
    "param_dtype reduce_dtype buffer_dtype keep_low_precision_grads cast_forward_inputs cast_root_forward_inputs _module_classes_to_ignore",
  MixedPrecisionPolicy: "param_dtype reduce_dtype output_dtype cast_forward_inputs",
  PrepareModuleInput:
    "* input_layouts desired_input_layouts input_kwarg_layouts desired_input_kwarg_layouts use_local_output",
  PrepareModuleOutput: "* output_layouts desired_output_layouts use_local_output",
  RowwiseParallel: "* input_layouts output_layouts use_local_output",
  SequenceParallel: "* sequence_dim use_local_output",
  all_gather: "tensor_list tensor group async_op",
  all_gather_into_tensor: "output_tensor input_tensor group async_op",
  all_reduce: "tensor op group async_op",
  all_to_all_single: "output input output_split_sizes input_split_sizes group async_op",
  broadcast: "tensor src group async_op group_src",
  distribute_module: "module device_mesh partition_fn input_fn output_fn",
  distribute_tensor: "tensor device_mesh placements * src_data_rank",
  fully_shard:
    "module * mesh reshard_after_forward shard_placement_fn mp_policy offload_policy ignored_params dp_mesh_dims",
  init_device_mesh: "device_type mesh_shape * mesh_dim_names backend_override",
  reduce: "tensor dst op group async_op group_dst",
  reduce_scatter_tensor: "output input op group async_op",
  parallelize_module: "module device_mesh parallelize_plan * src_data_rank",
};

/** Why a word does not take its arguments; nothing of words that are not known. */
function formFault(name: string, args: readonly Argument[]): string | undefined {
  const words = (fieldOf(parameters, name) ?? "").split(" ");
  const star = words.indexOf("*");
  const places = star < 0 ? words.length : star;
  const what = /^[A-Z]/u.test(name) ? `${name}.__init__()` : `${name}()`;
  const isStrange = (each: Argument) => each.name !== undefined && !words.includes(each.name);
  const other = args.find(isStrange)?.name;
  if (other !== undefined) return `${what} got an unexpected keyword argument '${other}'`;
  const placed = args.filter((each) => each.name === undefined).length;
  if (placed <= places) return undefined;
  return `${what} takes ${places} positional argument${places === 1 ? "" : "s"} but ${placed} were given`;
}

function requireForm(name: string, args: readonly Argument[], context: Context, span: Span): void {
  const fault = span.from < 0 ? undefined : formFault(name, args);
  if (fault !== undefined) context.raise("TypeError", fault, span);
}

const checked = new WeakMap<object, Value>();

/** A word that refuses arguments which PyTorch's does not take. */
export function withForm(name: string, word: Value | undefined): Value | undefined {
  if (word === undefined || !Object.hasOwn(parameters, name)) return word;
  const known = checked.get(word);
  if (known !== undefined) return known;
  const made = word.kind === "class" ? ofClass(name, word) : ofFunction(name, word);
  checked.set(word, made);
  return made;
}

function ofFunction(name: string, word: Value): Value {
  if (word.kind !== "host-function") return word;
  return {
    ...word,
    call: (args, context, span) => {
      requireForm(name, args, context, span);
      return word.call(args, context, span);
    },
  };
}

function ofClass(name: string, word: ClassValue): Value {
  const init = word.attributes.get("__init__");
  if (init === undefined) return word;
  const check = hostFunction("__init__", (args, context, span) => {
    requireForm(name, args.slice(1), context, span);
    return context.call(init, args, span);
  });
  word.attributes.set("__init__", check);
  return word;
}
