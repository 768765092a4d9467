import { integerOf, itemsOf, textOf } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";
import { mindsporeLayoutOf } from "./layouts.ts";

/** The exception with which MindSpore refuses a setting. */
export interface SettingFault {
  readonly kind: "TypeError" | "ValueError" | "KeyError";
  readonly message: string;
}

/** Types of the settings of `set_auto_parallel_context`, as 2.10 declares them (`args_type_check`). */
const types: Readonly<Record<string, string>> = Object.fromEntries([
  ...[
    ...["device_num", "global_rank", "pipeline_stages", "pipeline_segments"],
    "optimizer_weight_shard_size",
  ].map((name) => [name, "int"] as const),
  ...[
    ...["gradients_mean", "gradient_fp32_sync", "parameter_broadcast", "full_batch"],
    ...["enable_parallel_optimizer", "enable_alltoall", "pipeline_result_broadcast"],
    ...["force_fp32_communication", "loss_repeated_mean", "optimizer_weight_shard_aggregated_save"],
  ].map((name) => [name, "bool"] as const),
  ...[
    ...["parallel_mode", "search_mode", "auto_parallel_search_mode"],
    ...["strategy_ckpt_load_file", "strategy_ckpt_save_file"],
  ].map((name) => [name, "str"] as const),
  ["all_reduce_fusion_config", "list"],
  ...["parallel_optimizer_config", "pipeline_config", "comm_fusion", "strategy_ckpt_config"].map(
    (name) => [name, "dict"] as const,
  ),
]);

/** Kinds of values whose Python type is certain. */
const plain: ReadonlySet<string> = new Set([
  ...["bool", "int", "float", "str", "tuple", "list", "dict", "set"],
]);

/** The fault of a value in `set_auto_parallel_context`; `undefined` for a valid value. */
export function valueFault(name: string, value: Value): SettingFault | undefined {
  const type = types[name];
  if (type !== undefined && plain.has(value.kind) && !isOf(type, value)) {
    return { kind: "TypeError", message: `${name} must be ${type}, not ${value.kind}` };
  }
  if (name === "comm_fusion") return fusionFault(value);
  if (name === "dataset_strategy") return datasetFault(value);
  return rangeFault(ranges, name, value) ?? keysFault(name, value);
}

/** Values that a setting accepts: a list of strings, or integers from a minimum on. */
type Range = readonly string[] | number;

const ranges: Readonly<Record<string, Range>> = {
  device_num: 1,
  global_rank: 0,
  pipeline_stages: 1,
  auto_parallel_search_mode: [
    "recursive_programming",
    "sharding_propagation",
    "dynamic_programming",
  ],
  search_mode: ["recursive_programming", "sharding_propagation", "dynamic_programming"],
  communi_parallel_mode: ["all_group_parallel", "same_server_group_parallel", "no_group_parallel"],
};

function rangeFault(
  known: Readonly<Record<string, Range>>,
  name: string,
  value: Value,
): SettingFault | undefined {
  const range = Object.hasOwn(known, name) ? known[name] : undefined;
  if (typeof range === "number") {
    const number = integerOf(value);
    if (number === undefined || number >= range) return undefined;
    return { kind: "ValueError", message: `${name} must be ${range} or more, not ${number}` };
  }
  const word = textOf(value);
  if (range === undefined || word === undefined || range.includes(word)) return undefined;
  const list = range.map((each) => `'${each}'`).join(", ");
  return { kind: "ValueError", message: `${name} must be one of ${list}, not '${word}'` };
}

/** Known keys of settings that are dicts; `pipeline_config` requires both of its keys. */
const keys: Readonly<Record<string, readonly string[]>> = {
  parallel_optimizer_config: [
    ...["gradient_accumulation_shard", "parallel_optimizer_threshold"],
    ...["optimizer_weight_shard_size", "optimizer_level"],
  ],
  strategy_ckpt_config: ["load_file", "save_file", "only_trainable_params"],
  pipeline_config: ["pipeline_interleave", "pipeline_scheduler"],
};

function keysFault(name: string, value: Value): SettingFault | undefined {
  const known = keys[name];
  if (known === undefined || value.kind !== "dict") return undefined;
  const given = entriesOf(value).map(([key]) => key);
  const other = given.find((key) => !known.includes(key));
  const list = known.map((each) => `"${each}"`).join(", ");
  if (other !== undefined)
    return { kind: "ValueError", message: `${name} knows ${list}, not "${other}"` };
  const missing = known.find((key) => !given.includes(key));
  return name === "pipeline_config" && missing !== undefined
    ? { kind: "KeyError", message: `${name} needs the key "${missing}"` }
    : undefined;
}

/** Types of the settings of `set_context`, as 2.10 declares them. */
const contextTypes: Readonly<Record<string, string>> = {
  mode: "int",
  device_target: "str",
  device_id: "int",
  save_graphs_path: "str",
  max_call_depth: "int",
  deterministic: "str",
  runtime_num_threads: "int",
  pynative_synchronize: "bool",
  enable_graph_kernel: "bool",
  ascend_config: "dict",
  jit_config: "dict",
  max_device_memory: "str",
};

const contextRanges: Readonly<Record<string, Range>> = {
  mode: 0,
  device_target: ["Ascend", "GPU", "CPU", "Davinci"],
  device_id: 0,
  max_call_depth: 1,
  memory_optimize_level: ["O0", "O1"],
  deterministic: ["ON", "OFF"],
};

/** The fault of a value in `set_context`; `undefined` for a valid value. */
export function contextFault(name: string, value: Value): SettingFault | undefined {
  const type = contextTypes[name];
  if (type !== undefined && plain.has(value.kind) && !isOf(type, value))
    return { kind: "TypeError", message: `${name} must be ${type}, not ${value.kind}` };
  const most = { mode: 1, save_graphs: 3 }[name];
  const number = integerOf(value);
  if (most !== undefined && number !== undefined && number > most)
    return { kind: "ValueError", message: `${name} must be at most ${most}, not ${number}` };
  if (name === "jit_config") {
    const level = new Map(entriesOf(value)).get("jit_level");
    return level && rangeFault({ jit_level: ["O0", "O1", "O2"] }, "jit_level", level);
  }
  return rangeFault(contextRanges, name, value);
}

/** Whether a value has a Python type; a bool is also an int. */
function isOf(type: string, { kind }: Value): boolean {
  return kind === type || (type === "int" && kind === "bool");
}

/** Fusion modes of the three kinds of collectives in `comm_fusion`. */
const fusionModes: Readonly<Record<string, readonly string[]>> = {
  allreduce: ["auto", "index", "size"],
  allgather: ["auto", "size"],
  reducescatter: ["auto", "size"],
};

function fusionFault(value: Value): SettingFault | undefined {
  for (const [key, config] of entriesOf(value)) {
    const modes = Object.hasOwn(fusionModes, key) ? (fusionModes[key] ?? []) : undefined;
    if (modes === undefined && key !== "openstate") {
      const known = "openstate, allreduce, allgather or reducescatter";
      return { kind: "KeyError", message: `comm_fusion knows ${known}, not "${key}"` };
    }
    if (key === "openstate" && plain.has(config.kind) && config.kind !== "bool")
      return { kind: "TypeError", message: `comm_fusion: openstate is a bool, not ${config.kind}` };
    const fault = modes && configFault(key, config, modes);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function configFault(
  key: string,
  value: Value,
  modes: readonly string[],
): SettingFault | undefined {
  if (value.kind !== "dict") {
    if (!plain.has(value.kind)) return undefined;
    return { kind: "TypeError", message: `comm_fusion: ${key} must be dict, not ${value.kind}` };
  }
  const config = new Map(entriesOf(value));
  const missing = ["mode", "config"].find((name) => !config.has(name));
  if (missing !== undefined) {
    return { kind: "KeyError", message: `comm_fusion: ${key} needs the key "${missing}"` };
  }
  const mode = textOf(config.get("mode"));
  if (mode !== undefined && !modes.includes(mode)) {
    const list = modes.join(" or ");
    return {
      kind: "KeyError",
      message: `comm_fusion: the mode of ${key} is ${list}, not "${mode}"`,
    };
  }
  const threshold = config.get("config");
  return mode === "size" && threshold?.kind === "str"
    ? { kind: "TypeError", message: `comm_fusion: the config of ${key} is a number, not str` }
    : undefined;
}

/** The entries of a dict whose keys are strings. */
export function entriesOf(value: Value): readonly (readonly [string, Value])[] {
  if (value.kind !== "dict") return [];
  return [...value.entries.values()].flatMap(({ key, value: held }) => {
    const name = textOf(key);
    return name === undefined ? [] : [[name, held] as const];
  });
}

function datasetFault(value: Value): SettingFault | undefined {
  if (value.kind === "str") {
    return rangeFault(
      { dataset_strategy: ["full_batch", "data_parallel"] },
      "dataset_strategy",
      value,
    );
  }
  if (plain.has(value.kind) && value.kind !== "tuple") {
    const message = `dataset_strategy must be str or tuple, not ${value.kind}`;
    return { kind: "TypeError", message };
  }
  const layouts = (itemsOf(value) ?? []).flatMap((each) => mindsporeLayoutOf(each) ?? []);
  return layouts.some(({ spec }) => spec.isInterleaved)
    ? { kind: "ValueError", message: "dataset_strategy takes no Layout with interleaved_parallel" }
    : undefined;
}

/** Warns about a device target other than Ascend, since the rules here are those for Ascend. */
export function targetNote({ name, value, span }: Argument, context: Context): void {
  const target = name === "device_target" ? textOf(value) : undefined;
  if (target === undefined || target === "Ascend") return;
  context.report({
    code: "mindspore/setting-not-read",
    severity: "warning",
    message: `device_target="${target}" is not read: the rules told here are MindSpore's for Ascend`,
    span,
  });
}
