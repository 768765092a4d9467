import { integer, none, text, textOf } from "#language/document/bindings/values";
import type { Value } from "#language/python";

const no: Value = { kind: "bool", value: false };
const yes: Value = { kind: "bool", value: true };

/** What `get_auto_parallel_context` returns in 2.10 for an option that is not set. */
const defaults: ReadonlyMap<string, Value> = new Map([
  ...["device_num", "pipeline_stages", "grad_accumulation_step"].map(
    (name) => [name, integer(1)] as const,
  ),
  ["global_rank", integer(0)],
  ["optimizer_weight_shard_size", integer(-1)],
  ...["gradient_fp32_sync", "loss_repeated_mean", "init_param_in_compile"].map(
    (name) => [name, yes] as const,
  ),
  ...(
    "gradients_mean parameter_broadcast full_batch enable_alltoall enable_parallel_optimizer " +
    "pipeline_result_broadcast auto_pipeline optimizer_weight_shard_aggregated_save " +
    "sharding_propagation force_fp32_communication auto_parallel_new_interface dump_local_norm " +
    "dump_device_local_norm"
  )
    .split(" ")
    .map((name) => [name, no] as const),
  ...["strategy_ckpt_load_file", "strategy_ckpt_save_file", "dump_local_norm_path"].map(
    (name) => [name, text("")] as const,
  ),
  ["parallel_mode", text("stand_alone")],
  ["search_mode", text("recursive_programming")],
  ["dataset_strategy", text("data_parallel")],
  ["communi_parallel_mode", text("all_group_parallel")],
  ["all_reduce_fusion_config", { kind: "list", items: [] }],
]);

/** Options that come back as dicts with all keys, also those the text leaves out. */
const filledIn: ReadonlySet<string> = new Set(["comm_fusion", "strategy_ckpt_config"]);

/** Whether an option comes back as a dict whose keys are not known here. */
export function isFilledIn(name: string): boolean {
  return filledIn.has(name);
}

/**
 * The value of an option of the parallel context as `get_auto_parallel_context` returns it;
 * `undefined` for a name that 2.10 refuses.
 */
export function readSetting(name: string, settings: ReadonlyMap<string, Value>): Value | undefined {
  const asked = name === "auto_parallel_search_mode" ? "search_mode" : name;
  const otherwise = defaults.get(asked);
  if (otherwise === undefined) return undefined;
  const given = settings.get(asked);
  switch (asked) {
    case "search_mode":
      return given ?? settings.get("auto_parallel_search_mode") ?? otherwise;
    case "full_batch":
      return textOf(settings.get("dataset_strategy")) === "full_batch" ? yes : (given ?? otherwise);
    case "dataset_strategy":
      return given === undefined ? (fullBatch(settings) ?? otherwise) : asLists(given);
    default:
      return given === undefined || given === none ? otherwise : given;
  }
}

function fullBatch(settings: ReadonlyMap<string, Value>): Value | undefined {
  const whole = settings.get("full_batch");
  return whole?.kind === "bool" && whole.value ? text("full_batch") : undefined;
}

/** Tuples of a strategy come back as lists. */
function asLists(value: Value): Value {
  return value.kind === "tuple" ? { kind: "list", items: value.items.map(asLists) } : value;
}
