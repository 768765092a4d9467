import type { Diagnostic } from "#core/diagnostics";
import { library, parseDType } from "#core/ir";
import {
  asEntryTakesThem,
  bindArguments,
  hostFunction,
  integer,
  misspeltMember,
  text,
  textOf,
} from "#language/document/words";
import type {
  Argument,
  HostFunction,
  HostObject,
  HostType,
  ModuleValue,
  Value,
} from "#language/python";
import { checkParallelMode } from "../parallel-mode.ts";
import { shardWord } from "./functional-shard.ts";
import { MindsporeLayers } from "./layers.ts";
import { mindsporeLeaf } from "./leaf.ts";
import { ParallelContext } from "./parallel-context.ts";
import type { MindsporeParts } from "./parts.ts";
import { Primitives } from "./primitives.ts";

/** `mindspore`, `mindspore.nn`, `mindspore.ops`, `mindspore.mint` and `mindspore.parallel`. */
export class MindsporeWords {
  private readonly parts: MindsporeParts;
  private readonly primitives: Primitives;
  private readonly layers: MindsporeLayers;
  private readonly context: ParallelContext;

  constructor(parts: MindsporeParts) {
    this.parts = parts;
    this.primitives = new Primitives(parts);
    this.layers = new MindsporeLayers(parts, this.primitives);
    this.context = new ParallelContext(parts.recorder);
  }

  /** A module by its dotted name. */
  module(name: string): ModuleValue | undefined {
    const resolve = this.resolver(name);
    if (resolve === undefined) return undefined;
    const isOps = name.startsWith("mindspore.ops");
    return {
      kind: "module",
      name,
      attribute: (attribute, context, span) => {
        const known = isOps ? this.operatorNames(attribute) : [];
        const meant = known.includes(attribute)
          ? undefined
          : misspeltMember(name, attribute, known, resolve, context, span);
        return meant ?? resolve(attribute) ?? this.module(`${name}.${attribute}`);
      },
    };
  }

  /** Primitives begin with a capital, functions do not. */
  private operatorNames(name: string): readonly string[] {
    return /^[A-Z]/.test(name) ? this.primitives.names() : [...library.keys()];
  }

  private resolver(name: string): ((attribute: string) => Value | undefined) | undefined {
    switch (name) {
      case "mindspore":
      case "mindspore.common":
      case "mindspore.common.tensor":
      case "mindspore.common.parameter":
      case "mindspore.common.dtype":
      case "mindspore.context":
      case "mindspore.parallel._utils":
        return (attribute) => this.topName(attribute);
      case "mindspore.nn":
        return (attribute) =>
          attribute === "Cell"
            ? this.parts.modules.cell
            : (this.layers.class(attribute) ?? this.unknown(name, attribute));
      case "mindspore.ops":
      case "mindspore.ops.operations":
      case "mindspore.ops.auto_generate":
        return (attribute) =>
          this.primitives.class(attribute) ??
          this.operation(attribute) ??
          this.unknown(name, attribute);
      case "mindspore.mint":
      case "mindspore.mint.nn.functional":
      case "mindspore.ops.functional":
        return (attribute) => this.operation(attribute) ?? this.unknown(name, attribute);
      case "mindspore.mint.nn":
        return (attribute) => this.layers.class(attribute) ?? this.unknown(name, attribute);
      case "mindspore.parallel":
        return (attribute) =>
          attribute === "shard"
            ? shardWord(this.parts.recorder, this.parts.tensors)
            : this.parallelName(attribute);
      case "mindspore.parallel.shard":
      case "mindspore.parallel.auto_parallel":
        return (attribute) => this.parallelName(attribute);
      default:
        return knownModules.has(name)
          ? (attribute) => this.parts.boxes.assumed(`${name}.${attribute}`)
          : undefined;
    }
  }

  /** What MindSpore may have and this reading does not: an operator that is drawn whole. */
  private unknown(owner: string, name: string): Value | undefined {
    const isModule = this.resolver(`${owner}.${name}`) !== undefined;
    return isModule ? undefined : this.parts.boxes.assumed(`${owner}.${name}`);
  }

  private topName(name: string): Value | undefined {
    const { recorder, tensors, layout } = this.parts;
    if (name === "Layout") return layout;
    if (name === "shard") return shardWord(recorder, tensors);
    if (name === "Tensor") return mindsporeLeaf(recorder, tensors, "input");
    if (name === "Parameter") return mindsporeLeaf(recorder, tensors, "parameter");
    if (parseDType(name) !== undefined) return text(name);
    if (name === "set_context") return quietFunction(name);
    if (name === "jit" || name === "ms_function") return quietFunction(name);
    return this.context.word(name) ?? constant(name) ?? this.module(`mindspore.${name}`);
  }

  private parallelName(name: string): Value | undefined {
    if (name === "Layout") return this.parts.layout;
    if (name === "AutoParallel") return this.autoParallel();
    return name === "shard" ? shardWord(this.parts.recorder, this.parts.tensors) : undefined;
  }

  /** `AutoParallel(net, parallel_mode="semi_auto")`: the net itself, under a mode. */
  private autoParallel(): Value {
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
      this.parts.recorder.trace.parallel.push({ mode, span });
      return { kind: "host", type: parallelType, data: net };
    });
  }

  /** `ops.matmul`, `mint.add`: functions of the library. */
  private operation(name: string): Value | undefined {
    const entry = library.get(name);
    if (entry === undefined) return undefined;
    return hostFunction(name, (args, context, span) =>
      this.parts.tensors.call(
        entry,
        { op: name, reducesInside: true },
        asEntryTakesThem(name, entry, args),
        context,
        span,
      ),
    );
  }
}

const knownModules: ReadonlySet<string> = new Set([
  "mindspore.communication",

  "mindspore.train",
  "mindspore.dataset",
  "mindspore.common.initializer",
  "mindspore.parallel.nn",
  "mindspore.parallel.function",
]);

/** A net under a parallel mode: it is called like the net. */
const parallelType: HostType = {
  name: "AutoParallel",
  call: (self, args, context, span) => context.call(netOf(self), args, span),
  attribute: (self, name, context, span) =>
    settings.has(name) ? quietFunction(name) : context.getAttribute(netOf(self), name, span),
  text: () => "AutoParallel",
};

const settings: ReadonlySet<string> = new Set([
  "dataset_strategy",
  "hsdp",
  "pipeline",
  "load_param_strategy_file",
  "save_param_strategy_file",
  "save_operator_strategy_file",
  "load_operator_strategy_file",
  "set_group_ckpt_save_file",
  "no_init_parameters_in_compile",
  "comm_fusion",
  "enable_fp32_communication",
  "full_batch",
  "set_train",
  "compile",
  "transformer_opt",
]);

/** The net of an `AutoParallel(…)`. */
export function netInside(value: Value): Value | undefined {
  return value.kind === "host" && value.type === parallelType ? netOf(value) : undefined;
}

/** Only values of this type reach its methods. */
function netOf(self: HostObject): Value {
  return self.data as Value;
}

function quietFunction(name: string): HostFunction {
  return hostFunction(name, ([first]) => first?.value ?? { kind: "none" });
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

/** Values of `mindspore` that are neither operators nor modules. */
function constant(name: string): Value | undefined {
  const place = ["GRAPH_MODE", "PYNATIVE_MODE"].indexOf(name);
  return place < 0 ? undefined : integer(place);
}
