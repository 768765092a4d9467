import type { Diagnostic, Span } from "#core/diagnostics";
import {
  hostFunction,
  integer,
  integerOf,
  namespace,
  none,
  text,
  textOf,
} from "#language/document/bindings/values";
import type { Recorder, Trace } from "#language/document/trace";
import type { Argument, Context, HostType, ModuleValue, Value } from "#language/python";
import {
  contextFault,
  entriesOf,
  type SettingFault,
  targetNote,
  valueFault,
} from "./context-checks.ts";
import { type Feeding, feedingOf } from "./fed-batch.ts";
import { isFilledIn, readSetting } from "./read-settings.ts";

/** The modes of `set_auto_parallel_context` by their names in `ParallelMode`. */
const modes: Readonly<Record<string, string>> = {
  STAND_ALONE: "stand_alone",
  DATA_PARALLEL: "data_parallel",
  HYBRID_PARALLEL: "hybrid_parallel",
  SEMI_AUTO_PARALLEL: "semi_auto_parallel",
  AUTO_PARALLEL: "auto_parallel",
};

/** Options of the parallel context; 2.10 raises ValueError for any other name. */
const known: ReadonlySet<string> = new Set(
  [
    "device_num global_rank gradients_mean gradient_fp32_sync loss_repeated_mean parallel_mode",
    "auto_parallel_search_mode search_mode parameter_broadcast strategy_ckpt_load_file",
    "strategy_ckpt_save_file strategy_ckpt_config full_batch dataset_strategy enable_alltoall",
    "enable_parallel_optimizer parallel_optimizer_config all_reduce_fusion_config pipeline_stages",
    "pipeline_segments pipeline_result_broadcast pipeline_config auto_pipeline comm_fusion",
    "group_ckpt_save_file optimizer_weight_shard_size optimizer_weight_shard_aggregated_save",
    "sharding_propagation init_param_in_compile communi_parallel_mode force_fp32_communication",
    "auto_parallel_new_interface dump_local_norm dump_local_norm_path dump_device_local_norm",
  ].flatMap((line) => line.split(" ")),
);

/**
 * `set_auto_parallel_context(…)` and related functions: the settings in force when a net is
 * compiled. Mode, number of devices and AllToAll affect the plan (mindspore.md §2.4, §3.4, §6.1).
 */
export class ParallelContext {
  private readonly recorder: Recorder;
  private readonly settings = new Map<string, Value>();
  /**
   * Span of the setting PYNATIVE_MODE, in which operators run one by one; `undefined` in graph
   * mode.
   */
  private modeAt: Span | undefined;
  /** The device target that the text sets; without one it is that of the machine. */
  private target: Value | undefined;

  /** An assumed value, by the name of what is not known here. */
  private readonly assumed: (name: string) => Value;

  constructor(recorder: Recorder, assumed: (name: string) => Value) {
    this.recorder = recorder;
    this.assumed = assumed;
  }

  /** A name of `mindspore.context` that concerns the context; `undefined` for other names. */
  word(name: string): Value | undefined {
    switch (name) {
      case "set_auto_parallel_context":
        return hostFunction(name, (args, context, span) => {
          for (const argument of args) this.set(argument, context);
          this.note(span);
          return none;
        });
      case "set_context":
        return hostFunction(name, (args, context) => {
          for (const argument of args) {
            const { name: key, value, span } = argument;
            const fault = key === undefined ? undefined : contextFault(key, value);
            if (fault !== undefined) context.raise(fault.kind, fault.message, span);
            targetNote(argument, context);
            if (key === "device_target") this.target = value;
            if (key === "mode") this.modeAt = integerOf(value) === 1 ? span : undefined;
          }
          return none;
        });
      case "set_offload_context":
      case "get_offload_context":
        return hostFunction(name, (_, context, span) => {
          const message = `module 'mindspore.context' has no attribute '${name}'`;
          return context.raise("AttributeError", message, span);
        });
      case "reset_auto_parallel_context":
        return hostFunction(name, (_, _context, span) => {
          this.settings.clear();
          this.note(span);
          return none;
        });
      case "get_auto_parallel_context":
        return hostFunction(name, ([key], context, span) => {
          const asked = textOf(key?.value);
          if (asked === undefined || isFilledIn(asked))
            return this.assumed(`mindspore.context.${name}`);
          const message = `get_auto_parallel_context() has no option "${asked}"`;
          return readSetting(asked, this.settings) ?? context.raise("ValueError", message, span);
        });
      case "get_context":
        return hostFunction(name, ([key]) => {
          const asked = textOf(key?.value);
          if (asked === "device_target" && this.target !== undefined) return this.target;
          if (asked === "mode") return integer(this.modeAt === undefined ? 0 : 1);
          return this.assumed(`mindspore.context.${name}`);
        });
      case "_get_parallel_mode":
        return hostFunction(name, () => this.get("parallel_mode"));
      case "_is_sharding_propagation":
        return hostFunction(name, () => {
          return {
            kind: "bool",
            value: textOf(this.get("search_mode")) === "sharding_propagation",
          };
        });
      case "auto_parallel_context":
        return hostFunction(name, () => ({ kind: "host", type: contextType, data: undefined }));
      case "ParallelMode":
        return parallelModes();
      default:
        return undefined;
    }
  }

  private get(key: string): Value {
    return readSetting(key, this.settings) ?? none;
  }

  private set({ name, value, span, nameSpan }: Argument, context: Context): void {
    if (name === undefined) return;
    const fault = settingFault(name, value);
    if (fault !== undefined) {
      const { kind, message } = fault;
      context.raise(kind, message, nameSpan ?? span);
    }
    // `dataset_strategy` replaces the older `full_batch`: the last one set counts.
    if (name === "full_batch") this.settings.delete("dataset_strategy");
    if (name === "dataset_strategy") this.settings.delete("full_batch");
    this.settings.set(name, value);
  }

  /** How a net called now is fed; `undefined` if that is not known, or nothing is split. */
  feeding(): Feeding | undefined {
    const devices = integerOf(this.settings.get("device_num")) ?? 1;
    const mode = textOf(this.get("parallel_mode"));
    if (mode !== modes.SEMI_AUTO_PARALLEL && mode !== modes.AUTO_PARALLEL) return undefined;
    const { fed } = this.fed();
    const strategy = this.settings.get("dataset_strategy");
    if (fed === "layout") return strategy && feedingOf(strategy);
    return fed === "share" && devices > 1 ? { kind: "share", devices } : { kind: "whole" };
  }

  /**
   * Why MindSpore 2.10 would not compile a net called now: `full_batch` is set in a mode that does
   * not split, or the optimizer is split into more parts than there are devices.
   */
  compilingFault(): string | undefined {
    return this.batchFault() ?? this.partsFault();
  }

  private partsFault(): string | undefined {
    const config = this.settings.get("parallel_optimizer_config");
    const said = config && new Map(entriesOf(config)).get("optimizer_weight_shard_size");
    const parts = integerOf(said ?? this.settings.get("optimizer_weight_shard_size")) ?? 1;
    const devices = integerOf(this.settings.get("device_num"));
    if (!this.cutsOptimizer() || devices === undefined || parts <= devices) return undefined;
    return `the optimizer_weight_shard_size of ${parts} exceeds the ${devices} devices`;
  }

  private cutsOptimizer(): boolean {
    const cut = this.settings.get("enable_parallel_optimizer");
    return cut?.kind === "bool" && cut.value;
  }

  private batchFault(): string | undefined {
    const mode = this.recorder.trace.parallel.at(-1)?.mode ?? "";
    if (!Object.values(modes).includes(mode) || !this.isFullBatch()) return undefined;
    return `full_batch could only be used under semi_auto_parallel or auto_parallel, and parallel_mode is "${mode}"`;
  }

  /**
   * Why 2.10 refuses to make an optimizer now: a parallel optimizer needs a mode with several
   * devices.
   */
  optimizerFault(): string | undefined {
    const mode = textOf(this.get("parallel_mode")) ?? "";
    const isAlone = mode === modes.STAND_ALONE || mode === modes.HYBRID_PARALLEL;
    // Without an explicit mode, `AutoParallel` sets its own later.
    if (!this.cutsOptimizer() || !isAlone || !this.settings.has("parallel_mode")) return undefined;
    return `parallel optimizer is not supported in ${mode}: set parallel_mode to "data_parallel", "semi_auto_parallel" or "auto_parallel"`;
  }

  private isFullBatch(): boolean {
    const whole = this.settings.get("full_batch");
    const isSaid = whole?.kind === "bool" && whole.value;
    return isSaid || textOf(this.settings.get("dataset_strategy")) === "full_batch";
  }

  /** Warns that strategies have no effect in PYNATIVE_MODE, unless the source mentions `jit`. */
  sayMode(source: string): void {
    const isCut = this.recorder.trace.operators.some(({ strategy }) => strategy !== undefined);
    if (this.modeAt === undefined || !isCut || /\bjit\b/.test(source)) return;
    this.recorder.report({
      code: "mindspore/pynative-mode",
      severity: "warning",
      message:
        "strategies act in graph mode: in PYNATIVE_MODE MindSpore runs every operator whole on every device; read as in GRAPH_MODE",
      span: this.modeAt,
    });
  }

  private note(span: Diagnostic["span"]): void {
    if (span === undefined) return;
    const devices = integerOf(this.settings.get("device_num"));
    const rank = integerOf(this.settings.get("global_rank"));
    const allToAll = this.settings.get("enable_alltoall");
    const isExchanged = allToAll?.kind === "bool" && allToAll.value;
    this.recorder.trace.parallel.push({
      mode: this.mode(),
      span,
      ...(devices !== undefined && { devices }),
      ...(rank !== undefined && { rank }),
      ...(isExchanged && { allToAll: true }),
      ...(this.stages() > 1 && { stages: this.stages() }),
      ...this.fed(),
      ...this.unread(),
    });
  }

  private stages(): number {
    return integerOf(this.settings.get("pipeline_stages")) ?? 1;
  }

  private unread(): Pick<Trace["parallel"][number], "unread"> {
    const unread = [
      ...(this.cutsOptimizer() ? ["optimizer" as const] : []),
      ...(this.stages() > 1 ? ["stages" as const] : []),
    ];
    return unread.length > 0 ? { unread } : {};
  }

  /**
   * How inputs are fed, by `dataset_strategy` (default "data_parallel") or the older `full_batch`.
   */
  private fed(): Pick<Trace["parallel"][number], "fed"> {
    if (this.settings.get("dataset_strategy")?.kind === "tuple") return { fed: "layout" };
    return this.isFullBatch() ? {} : { fed: "share" };
  }

  /** The mode by its name in `AutoParallel`. */
  private mode(): string {
    const mode = textOf(this.get("parallel_mode")) ?? "";
    if (mode === "semi_auto_parallel") return "semi_auto";
    return mode === "auto_parallel" ? (textOf(this.get("search_mode")) ?? mode) : mode;
  }
}

function settingFault(name: string, value: Value): SettingFault | undefined {
  if (!known.has(name)) {
    return { kind: "ValueError", message: `set_auto_parallel_context() has no option "${name}"` };
  }
  const mode = textOf(value);
  const all = Object.values(modes);
  if (name === "parallel_mode" && mode !== undefined && !all.includes(mode)) {
    const list = all.map((each) => `'${each}'`).join(", ");
    return { kind: "ValueError", message: `parallel_mode must be one of ${list}, not '${mode}'` };
  }
  return valueFault(name, value);
}

/** Type of the context object behind the functions; its fusion switches accept only a bool. */
const contextType: HostType = {
  name: "_AutoParallelContext",
  attribute: (_, name) =>
    hostFunction(name, ([argument], context, span) => {
      const isSwitch =
        /^set_enable_all_(reduce|gather)_fusion$|^set_enable_reduce_scatter_fusion$/u;
      const kind = argument?.value.kind;
      if (isSwitch.test(name) && kind !== undefined && kind !== "bool" && kind !== "unknown")
        return context.raise("TypeError", `${name}() takes a bool, not ${kind}`, span);
      return none;
    }),
  text: () => "auto_parallel_context",
};

function parallelModes(): ModuleValue {
  const values = new Map<string, Value>(
    Object.entries(modes).map(([name, mode]) => [name, text(mode)] as const),
  );
  return namespace("ParallelMode", (name) =>
    name === "MODE_LIST" ? { kind: "list", items: [...values.values()] } : values.get(name),
  );
}
