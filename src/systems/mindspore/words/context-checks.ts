import { itemsOf, textOf } from "#language/document/words";
import type { Value } from "#language/python";
import { mindsporeLayoutOf } from "./layouts.ts";

/** Why MindSpore refuses a setting, and with which of Python's errors. */
export interface SettingFault {
  readonly kind: "TypeError" | "ValueError" | "KeyError";
  readonly message: string;
}

/** Types of the settings of `set_auto_parallel_context`, as 2.10 declares them (`args_type_check`). */
const types: Readonly<Record<string, string>> = Object.fromEntries([
  ...["device_num", "global_rank", "pipeline_stages", "pipeline_segments"].map(
    (name) => [name, "int"] as const,
  ),
  ...[
    ...["gradients_mean", "gradient_fp32_sync", "parameter_broadcast", "full_batch"],
    ...["enable_parallel_optimizer", "enable_alltoall", "pipeline_result_broadcast"],
    ...["force_fp32_communication"],
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

/** Kinds of values whose type is certain. */
const plain: ReadonlySet<string> = new Set([
  ...["bool", "int", "float", "str", "tuple", "list", "dict", "set"],
]);

/** What is wrong with the value of a setting of the parallel context; `undefined` where nothing is. */
export function valueFault(name: string, value: Value): SettingFault | undefined {
  const type = types[name];
  if (type !== undefined && plain.has(value.kind) && !isOf(type, value)) {
    return { kind: "TypeError", message: `${name} must be ${type}, not ${value.kind}` };
  }
  if (name === "comm_fusion") return fusionFault(value);
  return name === "dataset_strategy" ? datasetFault(value) : undefined;
}

/** A bool is an int, as in Python. */
function isOf(type: string, { kind }: Value): boolean {
  return kind === type || (type === "int" && kind === "bool");
}

/** How the three kinds of collectives may be fused. */
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

function entriesOf(value: Value): readonly (readonly [string, Value])[] {
  if (value.kind !== "dict") return [];
  return [...value.entries.values()].flatMap(({ key, value: held }) => {
    const name = textOf(key);
    return name === undefined ? [] : [[name, held] as const];
  });
}

function datasetFault(value: Value): SettingFault | undefined {
  const layouts = (itemsOf(value) ?? []).flatMap((each) => mindsporeLayoutOf(each) ?? []);
  return layouts.some(({ spec }) => spec.isInterleaved)
    ? { kind: "ValueError", message: "dataset_strategy takes no Layout with interleaved_parallel" }
    : undefined;
}
