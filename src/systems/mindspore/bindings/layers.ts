import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { layerSize, layerSizes, sizeOf } from "#language/document/bindings";
import {
  bindArguments,
  hostFunction,
  integer,
  none,
  textOf,
} from "#language/document/bindings/values";
import { knownSize, type Size } from "#language/document/trace";
import {
  type Argument,
  type ClassValue,
  type Context,
  hostClass,
  type Value,
} from "#language/python";
import { keepArguments, keepConvolution } from "./layer-attributes.ts";
import { activations, type WeightedLayer, weightedLayers } from "./layer-table.ts";
import type { MindsporeParts } from "./parts.ts";
import type { Primitives } from "./primitives.ts";

/** What a sequence runs, in order. */
const cellList = {
  kind: "property",
  get: hostFunction("cell_list", ([self], context, span) => ({
    kind: "list",
    items: self === undefined ? [] : [...context.iterate(self.value, span)],
  })),
} as const;

/** What 2.10's collections of cells lack of what PyTorch's have. */
const lacking: Readonly<Record<string, readonly string[]>> = {
  CellList: ["pop", "add_module"],
  SequentialCell: ["pop", "add_module", "insert", "extend", "__iadd__"],
};

/**
 * The layers of `mindspore.nn`: Cells with parameters and primitives of their own, so that
 * `layer.matmul.shard(…)` says how they split.
 */
export class MindsporeLayers {
  private readonly parts: MindsporeParts;
  private readonly primitives: Primitives;
  private readonly classes = new Map<string, ClassValue>();

  private readonly cell: ClassValue;
  private readonly lists: readonly [ClassValue, ClassValue];
  private readonly written: (name: string, context: Context) => Value | undefined;

  /** @param written a layer that is written in Python */
  constructor(
    parts: MindsporeParts,
    primitives: Primitives,
    cell: ClassValue,
    written: (name: string, context: Context) => Value | undefined,
  ) {
    this.parts = parts;
    this.written = written;
    this.cell = cell;
    this.primitives = primitives;
    this.lists = parts.modules.listsOver(cell, ["CellList", "SequentialCell"], {
      cell_list: cellList,
    });
    for (const list of this.lists) {
      for (const name of lacking[list.name] ?? []) list.attributes.delete(name);
    }
  }

  /** @param module whose layer it is: those of `mint` are other primitives than those of `nn` */
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
    if (name === "Dense") return this.dense(name);
    if (name === "Conv2d") return this.convolution(name);
    const weighted = fieldOf(weightedLayers, name);
    return weighted === undefined ? undefined : this.weighted(name, weighted);
  }

  /** A layer of one primitive without parameters. */
  private single(name: string, primitive: string): ClassValue {
    return this.cellClass(name, {
      init: (self, args, context, span) =>
        this.hold(self, memberOf(name), primitive, args, context, span),
      call: (self, args, context, span) =>
        firstOf(context.call(self.get(memberOf(name)) ?? none, args, span)),
    });
  }

  private dense(name: string): ClassValue {
    return this.cellClass(name, {
      init: (self, args, context, span) => {
        const { bound } = bindArguments(
          ["in_channels", "out_channels", "weight_init", "bias_init", "has_bias", "activation"],
          args,
        );
        const made = { layer: name, given: bound, span };
        const [inner, outer] = [
          layerSize(made, "in_channels", context),
          layerSize(made, "out_channels", context),
        ];
        keepArguments(self, bound, {
          in_channels: none,
          out_channels: none,
          has_bias: { kind: "bool", value: true },
        });
        self.set("bias", none);
        const bias = bound.get("has_bias")?.value;
        const transposed = {
          name: "transpose_b",
          value: { kind: "bool", value: true },
          span,
        } as const;
        self.set("weight", this.parameter([outer, inner], context, span));
        this.hold(self, "matmul", "MatMul", [transposed], context, span);
        this.hold(self, "reshape", "Reshape", [], context, span);
        self.set("activation", this.activation(bound.get("activation")?.value, context, span));
        if (bias?.kind === "bool" && !bias.value) return;
        self.set("bias", this.parameter([outer], context, span));
        this.hold(self, "bias_add", "BiasAdd", [], context, span);
      },
      call: (self, [input], context, span) => {
        const run = running(self, context, span);
        const x = input?.value ?? none;
        const shape = this.parts.tensors.tensorOf(x)?.shape?.map(knownSize) ?? [];
        const sizes = shape.flatMap((size) => (size === undefined ? [] : [size]));
        const isFlat = sizes.length <= 2 || sizes.length < shape.length;
        const rows = sizes.slice(0, -1);
        const count = rows.reduce((product, size) => product * size, 1);
        const flat = isFlat ? x : run("reshape", x, sizesOf([count, sizes.at(-1) ?? 1]));
        const product = run("matmul", flat, self.get("weight") ?? none);
        const sum = biased(self, product, run);
        const result = self.get("activation")?.kind === "none" ? sum : run("activation", sum);
        const outer = this.parts.tensors.tensorOf(self.get("weight"))?.shape?.map(knownSize)[0];
        return isFlat ? result : run("reshape", result, sizesOf([...rows, outer ?? 1]));
      },
    });
  }

  /** The activation behind a layer: a layer itself, or the name of one. */
  private activation(given: Value | undefined, context: Context, span: Span): Value {
    const name = textOf(given);
    if (given === undefined || given.kind === "none") return none;
    if (name === undefined) return given;
    const layer = activationLayers.find((each) => each.toLowerCase() === name.replace("_", ""));
    const type = layer && (this.written(layer, context) ?? this.class(layer));
    return type ? context.call(type, [], span) : this.parts.opaque.assumed(name);
  }

  /** A layer that runs one primitive on what it is given and on parameters of its own. */
  private weighted(name: string, layer: WeightedLayer): ClassValue {
    const [first = ""] = Object.keys(layer.primitives);
    return this.cellClass(name, {
      init: (self, args, context, span) => {
        const { bound } = bindArguments(layer.takes, args);
        const shape = layer.shape({ layer: name, given: bound, span }, context);
        layer.keep?.(self, bound);
        for (const each of layer.parameters) self.set(each, this.parameter(shape, context, span));
        for (const [member, [primitive, settings]] of Object.entries(layer.primitives)) {
          const given = Object.entries(settings?.(bound) ?? {});
          const named = given.map(([key, value]) => ({ name: key, value, span }));
          this.hold(self, member, primitive, named, context, span);
        }
      },
      call: (self, [input], context, span) => {
        const own = layer.parameters.map((each) => self.get(each) ?? none);
        return firstOf(running(self, context, span)(first, input?.value ?? none, ...own));
      },
    });
  }

  /** A convolution of images; its bias belongs to the channels that it makes. */
  private convolution(name: string): ClassValue {
    const others = ["stride", "pad_mode", "padding", "dilation", "group"] as const;
    return this.cellClass(name, {
      init: (self, args, context, span) => {
        const { bound } = bindArguments(
          [
            ...["in_channels", "out_channels", "kernel_size", ...others],
            ...["has_bias", "weight_init", "bias_init", "data_format"],
          ],
          args,
        );
        const made = { layer: name, given: bound, span };
        const [inner, outer] = [
          layerSize(made, "in_channels", context),
          layerSize(made, "out_channels", context),
        ];
        keepConvolution(self, bound);
        const kernel = layerSizes(made, "kernel_size", context);
        const groups = sizeOf(bound.get("group")?.value ?? none) ?? 1;
        const isKnown = typeof inner === "number" && typeof groups === "number";
        const [height, width = height] = kernel;
        const shape = [outer, isKnown ? inner / groups : inner, height ?? 1, width ?? 1];
        self.set("weight", this.parameter(shape, context, span));
        const given = (key: string, ours: string): readonly Argument[] => {
          const argument = bound.get(key);
          return argument === undefined ? [] : [{ ...argument, name: ours }];
        };
        const mode = { name: "pad_mode", value: { kind: "str", value: "same" }, span } as const;
        const settings = [
          { ...(bound.get("kernel_size") ?? mode), name: "kernel_size" },
          bound.get("pad_mode") === undefined ? mode : given("pad_mode", "pad_mode"),
          given("padding", "pad"),
          ...["stride", "dilation", "group"].map((key) => given(key, key)),
        ].flat();
        this.hold(self, "conv2d", "Conv2D", settings, context, span);
        const bias = bound.get("has_bias")?.value;
        if (bias?.kind !== "bool" || !bias.value) return;
        self.set("bias", this.parameter([outer], context, span));
        this.hold(self, "bias_add", "BiasAdd", [], context, span);
      },
      call: (self, [input], context, span) => {
        const run = running(self, context, span);
        const made = run("conv2d", input?.value ?? none, self.get("weight") ?? none);
        return biased(self, made, run);
      },
    });
  }

  /** Makes a primitive of a layer, which `layer.member.shard(…)` tells how to split. */
  private hold(
    self: Attributes,
    member: string,
    primitive: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): void {
    self.set(member, this.primitives.make(primitive, args, context, span, { span, member }));
  }

  private parameter(shape: readonly Size[], context: Context, span: Span): Value {
    const { recorder, tensors } = this.parts;
    const isGiven = shape.every((size) => typeof size === "number");
    const spec = { role: "parameter", shape, shapeStatus: isGiven ? "set" : "assumed" } as const;
    return tensors.object(
      recorder.leaf({ ...spec, dtype: "f32", dtypeText: "f32", span }, context),
    );
  }

  private cellClass(name: string, { init, call }: CellBindings): ClassValue {
    const { modules } = this.parts;
    const run = ([self, ...args]: readonly Argument[], context: Context, span: Span) =>
      self?.value.kind === "instance" ? call(self.value.attributes, args, context, span) : none;
    const isOwn = (type: ClassValue) =>
      type.mro.find(({ attributes }) => attributes.has("construct")) === made;
    const made: ClassValue = hostClass(
      name,
      {
        __init__: ([self, ...args], context, span) => {
          if (self?.value.kind !== "instance") return none;
          modules.made.add(self.value);
          init(self.value.attributes, args, context, span);
          return none;
        },
        // A class of the text that derives from a layer may say anew what it computes.
        __call__: (args, context, span) => {
          const self = args[0]?.value;
          if (self?.kind !== "instance" || isOwn(self.type)) return run(args, context, span);
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

/** What a layer computes, with its bias where it has one. */
function biased(self: Attributes, made: Value, run: ReturnType<typeof running>): Value {
  const bias = self.get("bias");
  return bias === undefined || bias.kind === "none" ? made : run("bias_add", made, bias);
}

/** How a layer of one primitive calls it: `relu` of ReLU, `log_softmax` of LogSoftmax. */
function memberOf(layer: string): string {
  const parts = { LogSoftmax: "log_softmax", FastGelu: "fast_gelu" };
  return fieldOf(parts, layer) ?? layer.toLowerCase();
}

/** Layers of one primitive that `nn` and `mint.nn` share. */
const alikeLayers: ReadonlySet<string> = new Set(["ReLU", "Sigmoid", "Tanh", "SiLU", "PReLU"]);

/** Layers that others may name as their activation. */
const activationLayers: readonly string[] = [
  ...Object.keys(activations),
  ...["Softmin", "Tanhshrink", "Hardtanh", "GELU", "LeakyReLU", "LogSigmoid"],
];

type Attributes = Map<string, Value>;

interface CellBindings {
  readonly init: (
    self: Attributes,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ) => void;
  readonly call: (
    self: Attributes,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ) => Value;
}

function sizesOf(sizes: readonly number[]): Value {
  return { kind: "tuple", items: sizes.map(integer) };
}

/** Layers give the first result of their primitive alone. */
function firstOf(value: Value): Value {
  return value.kind === "tuple" ? (value.items[0] ?? none) : value;
}

/** Runs a primitive that a layer holds on some values. */
function running(self: Attributes, context: Context, span: Span) {
  return (member: string, ...values: readonly Value[]) =>
    context.call(
      self.get(member) ?? none,
      values.map((value) => ({ value, span })),
      span,
    );
}
