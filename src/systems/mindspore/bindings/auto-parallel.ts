import type { Diagnostic, Span } from "#core/diagnostics";
import type { TensorBindings } from "#language/document/bindings";
import {
  bindArguments,
  hostFunction,
  integerOf,
  itemsOf,
  textOf,
} from "#language/document/bindings/values";
import type { Recorder, Trace } from "#language/document/trace";
import type { Argument, HostFunction, HostObject, HostType, Value } from "#language/python";
import { checkParallelMode } from "../parallel-mode.ts";
import { mindsporeLayoutOf } from "./layouts.ts";

/** The exception with which 2.10 refuses an option. */
interface OptionFault {
  readonly kind: "TypeError" | "ValueError" | "KeyError";
  readonly message: string;
}

/** Checks one value; `undefined` if it is valid or unknown. */
type Check = (name: string, value: Value) => OptionFault | undefined;

/**
 * An option of `AutoParallel`: its parameters with their checks, and the effects that are not read
 * here.
 */
interface Option {
  readonly parameters?: Readonly<Record<string, Check>>;
  /**
   * The warning for a value whose effect in MindSpore is ignored here; `undefined` if there is
   * none.
   */
  readonly unread?: (value: (name: string) => Value | undefined) => string | undefined;
}

const ofKind =
  (kind: "str" | "bool" | "int" | "dict"): Check =>
  (name, value) =>
    value.kind === kind || value.kind === "unknown" || (kind === "int" && value.kind === "bool")
      ? undefined
      : { kind: "TypeError", message: `${name} must be ${kind}, not ${value.kind}` };

const oneOf =
  (...known: readonly string[]): Check =>
  (name, value) => {
    const given = textOf(value);
    const message = `${name} must be one of ${known.map((each) => `'${each}'`).join(", ")}`;
    return given === undefined || known.includes(given)
      ? undefined
      : { kind: "ValueError", message };
  };

const all =
  (...checks: readonly Check[]): Check =>
  (name, value) => {
    for (const check of checks) {
      const fault = check(name, value);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };

const numberFrom =
  (kind: OptionFault["kind"], isRight: (value: number) => boolean, said: string): Check =>
  (name, value) => {
    if (value.kind === "unknown") return undefined;
    const number = integerOf(value);
    return number !== undefined && isRight(number)
      ? undefined
      : { kind, message: `${name} must be ${said}` };
  };

const path = { file_path: ofKind("str") };

/** Check for an absolute path that ends in `.json`. */
const jsonPath: Check = all(ofKind("str"), (name, value) => {
  const text = textOf(value);
  if (text === undefined) return undefined;
  if (!text.startsWith("/"))
    return { kind: "KeyError", message: `${name} must be an absolute path` };
  return text.endsWith(".json")
    ? undefined
    : { kind: "KeyError", message: `${name} must end in .json` };
});

const dataset: Check = (name, value) => {
  if (value.kind === "none") return { kind: "ValueError", message: `${name} is None` };
  if (value.kind === "str") return oneOf("full_batch", "data_parallel")(name, value);
  if (value.kind === "unknown") return undefined;
  if (value.kind !== "tuple")
    return { kind: "TypeError", message: `${name} must be str or tuple, not ${value.kind}` };
  const bad = value.items.find(
    (item) => item.kind !== "tuple" && mindsporeLayoutOf(item) === undefined,
  );
  if (bad !== undefined && bad.kind !== "unknown")
    return { kind: "TypeError", message: `each element of ${name} must be a tuple or a Layout` };
  const numbers = value.items.flatMap((item) =>
    item.kind === "tuple" ? (itemsOf(item) ?? []) : [],
  );
  return numbers.some(({ kind }) => kind !== "int" && kind !== "bool" && kind !== "unknown")
    ? { kind: "TypeError", message: `each number of ${name} must be int` }
    : undefined;
};

/** Options of `AutoParallel` by their methods, with the checks of 2.10 (`parallel/auto_parallel.py`). */
const options: Readonly<Record<string, Option>> = {
  dataset_strategy: { parameters: { config: dataset } },
  hsdp: {
    parameters: {
      shard_size: numberFrom("ValueError", (size) => size > 0 || size === -1, "positive, or -1"),
      threshold: numberFrom("ValueError", (size) => size >= 0, "0 or more"),
      optimizer_level: oneOf("level1", "level2", "level3"),
    },
    unread: () =>
      "not modelled: hsdp: parameters are drawn as their operators cut them; the AllGathers that join the pieces which every device then keeps, the ReduceScatters of their gradients, and what MindSpore asks of them besides, are not told",
  },
  pipeline: {
    parameters: {
      stages: all(
        ofKind("int"),
        numberFrom("ValueError", (count) => count > 0, "larger than 0"),
      ),
      output_broadcast: ofKind("bool"),
      interleave: ofKind("bool"),
      scheduler: all(
        ofKind("str"),
        oneOf("1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v"),
      ),
    },
    unread: (value) =>
      (integerOf(value("stages")) ?? 1) > 1
        ? "not modelled: pipeline: all operators are drawn on all devices"
        : undefined,
  },
  comm_fusion: { parameters: { config: ofKind("dict") } },
  load_param_strategy_file: { parameters: path },
  save_param_strategy_file: { parameters: path },
  set_group_ckpt_save_file: { parameters: path },
  dump_local_norm: { parameters: path },
  save_operator_strategy_file: { parameters: { file_path: jsonPath } },
  load_operator_strategy_file: {
    parameters: { file_path: jsonPath },
    unread: () =>
      "load_operator_strategy_file is not read: the strategies in that file are not in this text",
  },
  transformer_opt: {
    parameters: {
      file_path: (name, value) => (value.kind === "none" ? undefined : ofKind("str")(name, value)),
    },
    unread: (value) =>
      value("file_path")?.kind === "str"
        ? "transformer_opt is not read: what that file turns on is not in this text"
        : undefined,
  },
  ...Object.fromEntries(
    [
      ...["no_init_parameters_in_compile", "disable_strategy_file_only_for_trainable_params"],
      ...["enable_fp32_communication", "print_local_norm", "enable_device_local_norm"],
      ...["enable_gradients_mean", "disable_gradient_fp32_sync", "disable_loss_repeated_mean"],
      ...["get_pipeline_stages", "set_train", "compile"],
    ].map((name) => [name, {}]),
  ),
};

/** A net under a parallel mode, with its data feeding. */
interface ParallelNet {
  readonly net: Value;
  readonly tensors: TensorBindings;
  /** The trace's entry for this net; a call updates it. */
  readonly setting: { readonly mode: string; readonly span: Span; fed?: Fed };
  /**
   * The `dataset_strategy`: without one, 2.10 takes a fed tensor as one device's part; `undefined`
   * for `full_batch`.
   */
  dataset: Fed | undefined;
}

type Fed = NonNullable<Trace["parallel"][number]["fed"]>;

/** `AutoParallel(net, parallel_mode="semi_auto")`: the net itself, under a mode. */
export function autoParallelWord(recorder: Recorder, tensors: TensorBindings): Value {
  return hostFunction("AutoParallel", (args, context, span) => {
    const { bound } = bindArguments(["network", "parallel_mode"], args);
    const net = bound.get("network")?.value;
    if (net === undefined) {
      const message = "AutoParallel() missing 1 required positional argument: 'network'";
      return context.raise("TypeError", message, span);
    }
    const given = bound.get("parallel_mode");
    const fault = given && modeFault(given);
    if (fault !== undefined) context.report(fault);
    const mode = textOf(given?.value) ?? "semi_auto";
    const setting = { mode, span };
    recorder.trace.parallel.push(setting);
    const data: ParallelNet = { net, tensors, setting, dataset: "share" };
    return { kind: "host", type: parallelType, data };
  });
}

/** Host type of a net under a parallel mode; calls go to the net. */
const parallelType: HostType = {
  name: "AutoParallel",
  call: (self, args, context, span) => {
    noteFed(parallelOf(self), args);
    return context.call(parallelOf(self).net, args, span);
  },
  attribute: (self, name, context, span) =>
    Object.hasOwn(options, name)
      ? optionWord(name, options[name] ?? {}, parallelOf(self))
      : context.getAttribute(parallelOf(self).net, name, span),
  // Attributes may be set, as on any Cell, but have no effect.
  setAttribute: () => true,
  text: () => "AutoParallel",
};

/**
 * Records how inputs are fed. A fed tensor is read with the shape written; a `dataset_strategy`
 * other than `full_batch` is recorded for a warning.
 */
function noteFed({ tensors, setting, dataset }: ParallelNet, args: readonly Argument[]): void {
  const isFed = args.some(({ value }) => {
    const tensor = tensors.tensorOf(value);
    return tensor?.role === "input" && tensor.producer === undefined;
  });
  if (isFed && dataset !== undefined) setting.fed = dataset;
}

/**
 * A method that sets an option: checks the arguments as 2.10 does, and warns when the option is not
 * read.
 */
function optionWord(
  name: string,
  { parameters = {}, unread }: Option,
  parallel: ParallelNet,
): HostFunction {
  return hostFunction(name, (args, context, span) => {
    const { bound } = bindArguments(Object.keys(parameters), args);
    for (const [parameter, check] of Object.entries(parameters)) {
      const given = bound.get(parameter);
      const fault = given && check(parameter, given.value);
      if (fault !== undefined) return context.raise(fault.kind, fault.message, given?.span ?? span);
    }
    if (name === "dataset_strategy") parallel.dataset = fedBy(bound.get("config")?.value);
    const message = unread?.((parameter) => bound.get(parameter)?.value);
    if (message !== undefined)
      context.report({ code: "mindspore/setting-not-read", severity: "warning", message, span });
    return args[0]?.value ?? { kind: "none" };
  });
}

/** How MindSpore splits fed tensors under a `dataset_strategy`; `undefined` for `full_batch`. */
function fedBy(strategy: Value | undefined): Fed | undefined {
  const said = textOf(strategy);
  if (said === "full_batch") return undefined;
  return strategy === undefined || said !== undefined ? "share" : "layout";
}

/** The net of an `AutoParallel(…)`. */
export function netInside(value: Value): Value | undefined {
  return value.kind === "host" && value.type === parallelType ? parallelOf(value).net : undefined;
}

/** The cast is safe: only values of `parallelType` reach its methods. */
function parallelOf(self: HostObject): ParallelNet {
  return self.data as ParallelNet;
}

function modeFault({ value, span }: Argument): Diagnostic | undefined {
  const fault = checkParallelMode(value.kind === "str" ? value.value : undefined);
  return (
    fault && {
      code: "mindspore/parallel-mode",
      severity: "error",
      message: fault.message,
      span,
      upstream: fault.kind,
      fixes: [{ title: "Write 'semi_auto'", edits: [{ ...span, text: "'semi_auto'" }] }],
    }
  );
}
