import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { bindArguments, hostFunction, none, textOf } from "#language/document/bindings/values";
import {
  type Argument,
  type ClassValue,
  type Context,
  hostClass,
  type Value,
} from "#language/python";
import { convolutionLayer } from "./convolution-layer.ts";
import { type Activation, denseLayer } from "./dense-layer.ts";
import type { FloatCells } from "./float-cells.ts";
import { type CellBindings, LayerMembers, running } from "./layer-members.ts";
import { activations, type WeightedLayer, weightedLayers } from "./layer-table.ts";
import type { MindsporeParts } from "./parts.ts";
import type { Primitives } from "./primitives.ts";
import { signatureFault } from "./signatures.ts";

/** The property `cell_list`: the Cells of a sequence, in order. */
const cellList = {
  kind: "property",
  get: hostFunction("cell_list", ([self], context, span) => ({
    kind: "list",
    items: self === undefined ? [] : [...context.iterate(self.value, span)],
  })),
} as const;

/** Methods of PyTorch's module collections that 2.10's Cell collections lack. */
const lacking: Readonly<Record<string, readonly string[]>> = {
  CellList: ["pop", "add_module"],
  SequentialCell: ["pop", "add_module", "insert", "extend", "__iadd__"],
};

/**
 * The layers of `mindspore.nn`: Cells with their own parameters and primitives, so that
 * `layer.matmul.shard(…)` sets a strategy.
 */
export class MindsporeLayers {
  private readonly parts: MindsporeParts;
  private readonly members: LayerMembers;
  private readonly classes = new Map<string, ClassValue>();

  private readonly cell: ClassValue;
  private readonly lists: readonly [ClassValue, ClassValue];
  private readonly floats: FloatCells;
  private readonly written: (name: string, context: Context) => Value | undefined;

  /** @param written finds a layer that is written in Python */
  constructor(
    parts: MindsporeParts,
    primitives: Primitives,
    [cell, floats]: readonly [ClassValue, FloatCells],
    written: (name: string, context: Context) => Value | undefined,
  ) {
    this.parts = parts;
    this.floats = floats;
    this.written = written;
    this.cell = cell;
    this.members = new LayerMembers(parts, primitives);
    this.lists = parts.modules.listsOver(cell, ["CellList", "SequentialCell"], {
      cell_list: cellList,
    });
    for (const list of this.lists) {
      for (const name of lacking[list.name] ?? []) list.attributes.delete(name);
    }
  }

  /**
   * A layer class by name.
   *
   * @param module the module of the class; layers of `mint` use other primitives than those of `nn`
   */
  class(name: string, module = "mindspore.nn"): Value | undefined {
    if (name === "CellList") return this.lists[0];
    if (name === "SequentialCell") return this.lists[1];
    if (/\bmint\b/.test(module) && !alikeLayers.has(name)) return undefined;
    const known = this.classes.get(name);
    if (known !== undefined) return known;
    const made = this.layer(name);
    if (made !== undefined) this.classes.set(name, made);
    return made;
  }

  private layer(name: string): ClassValue | undefined {
    const activation = fieldOf(activations, name);
    if (activation !== undefined) return this.single(name, activation);
    if (name === "Dense") {
      const activation: Activation = (...asked) => this.activation(...asked);
      return this.cellClass(name, denseLayer(this.members, this.parts.tensors, activation));
    }
    if (name === "Conv2d") return this.cellClass(name, convolutionLayer(this.members));
    const weighted = fieldOf(weightedLayers, name);
    return weighted === undefined ? undefined : this.weighted(name, weighted);
  }

  /** A layer of one primitive without parameters. */
  private single(name: string, primitive: string): ClassValue {
    return this.cellClass(name, {
      init: (self, args, context, span) =>
        this.members.hold(self, memberOf(name), primitive, args, context, span),
      call: (self, args, context, span) =>
        firstOf(context.call(self.get(memberOf(name)) ?? none, args, span)),
    });
  }

  /** The activation of a layer, given as a layer itself or by name; `none` without one. */
  private activation(given: Value | undefined, context: Context, span: Span): Value {
    const name = textOf(given);
    if (given === undefined || given.kind === "none") return none;
    if (name === undefined) return given;
    const layer = activationLayers.find((each) => each.toLowerCase() === name.replace("_", ""));
    const type = layer && (this.written(layer, context) ?? this.class(layer));
    return type ? context.call(type, [], span) : this.parts.opaque.assumed(name);
  }

  /** A layer that runs one primitive on its input and its own parameters. */
  private weighted(name: string, layer: WeightedLayer): ClassValue {
    const [first = ""] = Object.keys(layer.primitives);
    return this.cellClass(name, {
      init: (self, args, context, span) => {
        const { bound } = bindArguments(layer.takes, args);
        const shape = layer.shape({ layer: name, given: bound, span }, context);
        layer.keep?.(self, bound);
        for (const each of layer.parameters)
          self.set(each, this.members.parameter(shape, context, span));
        for (const [member, [primitive, settings]] of Object.entries(layer.primitives)) {
          const given = Object.entries(settings?.(bound) ?? {});
          const named = given.map(([key, value]) => ({ name: key, value, span }));
          this.members.hold(self, member, primitive, named, context, span);
        }
      },
      call: (self, [input], context, span) => {
        const own = layer.parameters.map((each) => self.get(each) ?? none);
        return firstOf(running(self, context, span)(first, input?.value ?? none, ...own));
      },
    });
  }

  private cellClass(name: string, { init, call }: CellBindings): ClassValue {
    const { modules } = this.parts;
    const run = ([self, ...args]: readonly Argument[], context: Context, span: Span) =>
      self?.value.kind === "instance"
        ? call(self.value.attributes, theInput(name, args, context, span), context, span)
        : none;
    const isOwn = (type: ClassValue) =>
      type.mro.find(({ attributes }) => attributes.has("construct")) === made;
    const made: ClassValue = hostClass(
      name,
      {
        __init__: ([self, ...args], context, span) => {
          if (self?.value.kind !== "instance") return none;
          const fault = layerFault(name, args);
          if (fault !== undefined) return context.raise("TypeError", fault, span);
          modules.made.add(self.value);
          const { attributes } = self.value;
          const type = args.find((each) => each.name === "dtype")?.value;
          this.members.inType(type, () => init(attributes, args, context, span));
          return none;
        },
        // A subclass in the text may override `construct`.
        __call__: (args, context, span) => {
          const self = args[0]?.value;
          if (self?.kind !== "instance") return none;
          if (isOwn(self.type))
            return this.floats.run(self, args, context, span, (given) => run(given, context, span));
          const above: Value = { kind: "super", after: made, self };
          return context.call(context.getAttribute(above, "__call__", span), args.slice(1), span);
        },
        construct: run,
      },
      [this.cell],
    );
    return made;
  }
}

/**
 * The attribute under which a layer holds its primitive: `relu` of ReLU, `log_softmax` of
 * LogSoftmax.
 */
function memberOf(layer: string): string {
  const parts = { LogSoftmax: "log_softmax", FastGelu: "fast_gelu" };
  return fieldOf(parts, layer) ?? layer.toLowerCase();
}

/** Layers of one primitive that `nn` and `mint.nn` share. */
const alikeLayers: ReadonlySet<string> = new Set(["ReLU", "Sigmoid", "Tanh", "SiLU", "PReLU"]);

/** Layers whose missing sizes are assumed, which is said (`layerSize`). */
const sizedLayer =
  /^((Batch|Instance)Norm[123]d|Conv[12]d|Conv2dTranspose|Dense|Embedding|(Group|Layer)Norm|Linear)$/u;

/** Why MindSpore refuses what a layer is made with; `undefined` if `nn` or `mint.nn` takes it. */
function layerFault(name: string, args: readonly Argument[]): string | undefined {
  const fault = signatureFault("nn", name, args, sizedLayer.test(name));
  return fault !== undefined && alikeLayers.has(name)
    ? signatureFault("mint.nn", name, args)
    : fault;
}

/** The arguments of a layer's call, which takes one tensor; other numbers raise `TypeError`. */
function theInput(
  name: string,
  args: readonly Argument[],
  context: Context,
  span: Span,
): readonly Argument[] {
  if (args.length === 1) return args;
  const message = `${name}.construct() takes 1 argument but ${args.length} were given`;
  return context.raise("TypeError", message, span);
}

/** Layers that can be named as the activation of another layer. */
const activationLayers: readonly string[] = [
  ...Object.keys(activations),
  ...["Softmin", "Tanhshrink", "Hardtanh", "GELU", "LeakyReLU", "LogSigmoid"],
];

/** The first result of a primitive with several; layers return only that one. */
function firstOf(value: Value): Value {
  return value.kind === "tuple" ? (value.items[0] ?? none) : value;
}
