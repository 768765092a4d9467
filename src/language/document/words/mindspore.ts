import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import type {
  Argument,
  Context,
  HostFunction,
  InstanceValue,
  ModuleValue,
  Value,
} from "#language/python";
import { hostClass } from "#language/python";
import { Primitives } from "./primitives.ts";
import type { TensorWords } from "./tensors.ts";
import { bindArguments, none } from "./values.ts";

/** A Cell that the program made, for those that nobody calls. */
export interface MadeCell {
  readonly cell: InstanceValue;
  readonly insideAnother: boolean;
  called: boolean;
}

/** `mindspore`, `mindspore.nn`, `mindspore.ops` and `AutoParallel` as Python modules. */
export class MindsporeWords {
  readonly cells: MadeCell[] = [];
  private readonly tensors: TensorWords;
  private readonly cell: Value;
  private readonly primitives: Primitives;

  private readonly layout: HostFunction;

  constructor(tensors: TensorWords, layout: HostFunction) {
    this.tensors = tensors;
    this.layout = layout;
    this.cell = hostClass("Cell", {
      __init__: (args, context) => this.initCell(args, context),
      __call__: (args, context, span) => this.callCell(args, context, span),
    });
    this.primitives = new Primitives(tensors);
  }

  /** A module by its dotted name. */
  module(name: string): ModuleValue | undefined {
    switch (name) {
      case "mindspore":
        return namespace(name, (attribute) =>
          attribute === "Layout" ? this.layout : this.module(`mindspore.${attribute}`),
        );
      case "mindspore.nn":
        return namespace(name, (attribute) => (attribute === "Cell" ? this.cell : undefined));
      case "mindspore.ops":
      case "mindspore.ops.operations":
        return namespace(
          name,
          (attribute) => this.primitives.class(attribute) ?? this.operation(attribute),
        );
      case "mindspore.mint":
      case "mindspore.mint.nn.functional":
        return namespace(name, (attribute) => this.operation(attribute));
      case "mindspore.parallel":
        return namespace(name, (attribute) =>
          attribute === "Layout" ? this.layout : this.module(`mindspore.parallel.${attribute}`),
        );
      case "mindspore.parallel.auto_parallel":
        return namespace(name, (attribute) =>
          attribute === "AutoParallel" ? this.autoParallel() : undefined,
        );
      default:
        return undefined;
    }
  }

  private initCell(args: readonly Argument[], context: Context): Value {
    const self = args[0]?.value;
    const known = this.cells.some((made) => made.cell === self);
    if (self?.kind === "instance" && !known) {
      const makers = context.frames.filter((frame) => frame.receiver !== self);
      this.cells.push({ cell: self, insideAnother: makers.length > 0, called: false });
    }
    return none;
  }

  private callCell(args: readonly Argument[], context: Context, span: Span): Value {
    const [self, ...rest] = args;
    if (self === undefined) return none;
    const made = this.cells.find((candidate) => candidate.cell === self.value);
    if (made !== undefined) made.called = true;
    return context.call(context.getAttribute(self.value, "construct", span), rest, span);
  }

  /** `AutoParallel(net, parallel_mode="semi_auto")`: the net itself, under a mode. */
  private autoParallel(): Value {
    return {
      kind: "host-function",
      name: "AutoParallel",
      call: (args, context, span) => {
        const net = bindArguments(["network", "parallel_mode"], args).bound.get("network")?.value;
        if (net !== undefined) return net;
        return context.raise(
          "TypeError",
          "AutoParallel() missing 1 required positional argument: 'network'",
          span,
        );
      },
    };
  }

  /** `ops.matmul`, `mint.add`: functions of the library. */
  private operation(name: string): Value | undefined {
    const entry = library.get(name);
    if (entry === undefined) return undefined;
    return {
      kind: "host-function",
      name,
      call: (args, context, span) =>
        this.tensors.call(entry, { op: name, reducesInside: true }, args, context, span),
    };
  }
}

function namespace(name: string, attribute: (name: string) => Value | undefined): ModuleValue {
  return { kind: "module", name, attribute };
}
