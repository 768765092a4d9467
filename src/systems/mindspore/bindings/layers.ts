import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import {
  bindArguments,
  integer,
  knownSize,
  layerSize,
  layerSizes,
  none,
  type Size,
  sizeOf,
  textOf,
} from "#language/document/bindings";
import {
  type Argument,
  type ClassValue,
  type Context,
  hostClass,
  type Value,
} from "#language/python";
import type { MindsporeParts } from "./parts.ts";
import type { Primitives } from "./primitives.ts";

/** Activations of `mindspore.nn` by the primitive that they run. */
const activations: Readonly<Record<string, string>> = {
  ReLU: "ReLU",
  GELU: "GeLU",
  SiLU: "SiLU",
  Tanh: "Tanh",
  Sigmoid: "Sigmoid",
  Softmax: "Softmax",
  ReLU6: "ReLU6",
  ELU: "Elu",
  HSigmoid: "HSigmoid",
  HSwish: "HSwish",
  LogSoftmax: "LogSoftmax",
  LogSigmoid: "LogSigmoid",
  Mish: "Mish",
  Softsign: "Softsign",
  Flatten: "Flatten",
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

  constructor(parts: MindsporeParts, primitives: Primitives, cell: ClassValue) {
    this.parts = parts;
    this.cell = cell;
    this.primitives = primitives;
  }

  class(name: string): Value | undefined {
    const { modules } = this.parts;
    if (name === "CellList") return modules.list;
    if (name === "SequentialCell") return modules.sequence;
    const known = this.classes.get(name);
    if (known !== undefined) return known;
    const made = this.layer(name);
    if (made !== undefined) this.classes.set(name, made);
    return made;
  }

  private layer(name: string): ClassValue | undefined {
    const activation = fieldOf(activations, name);
    if (activation !== undefined) return this.single(name, activation);
    if (name === "Dense" || name === "Linear") return this.dense(name);
    if (name === "LayerNorm") return this.layerNorm(name);
    if (/^BatchNorm[123]d$/.test(name)) return this.batchNorm(name);
    if (name === "PReLU") return this.prelu(name);
    if (name === "Conv2d") return this.convolution(name);
    if (name === "Embedding") return this.embedding(name);
    return name === "Dropout" ? this.single(name, "Dropout") : undefined;
  }

  /** A layer of one primitive without parameters. */
  private single(name: string, primitive: string): ClassValue {
    return this.cellClass(name, {
      init: (self, args, context, span) => {
        self.set("op", this.primitives.make(primitive, args, context, span, undefined));
      },
      call: (self, args, context, span) =>
        firstOf(context.call(self.get("op") ?? none, args, span)),
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
        const run = (name: string, ...operands: readonly Value[]) =>
          context.call(self.get(name) ?? none, plain(operands, span), span);
        const x = input?.value ?? none;
        const shape = this.parts.tensors.tensorOf(x)?.shape?.map(knownSize) ?? [];
        const sizes = shape.flatMap((size) => (size === undefined ? [] : [size]));
        const isFlat = sizes.length <= 2 || sizes.length < shape.length;
        const rows = sizes.slice(0, -1);
        const count = rows.reduce((product, size) => product * size, 1);
        const flat = isFlat ? x : run("reshape", x, sizesOf([count, sizes.at(-1) ?? 1]));
        const product = run("matmul", flat, self.get("weight") ?? none);
        const bias = self.get("bias");
        const sum = bias === undefined ? product : run("bias_add", product, bias);
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
    const layer = Object.keys(activations).find((each) => each.toLowerCase() === name);
    const type = layer && this.class(layer);
    return type ? context.call(type, [], span) : this.parts.opaque.assumed(name);
  }

  private layerNorm(name: string): ClassValue {
    return this.cellClass(name, {
      init: (self, args, context, span) => {
        const { bound } = bindArguments(["normalized_shape"], args);
        const sizes = layerSizes({ layer: name, given: bound, span }, "normalized_shape", context);
        self.set("gamma", this.parameter(sizes, context, span));
        self.set("beta", this.parameter(sizes, context, span));
        const axis = { name: "begin_norm_axis", value: integer(-sizes.length), span } as const;
        this.hold(self, "layer_norm", "LayerNorm", [axis], context, span);
      },
      call: (self, [input], context, span) => {
        const operands = [
          input?.value ?? none,
          self.get("gamma") ?? none,
          self.get("beta") ?? none,
        ];
        return firstOf(context.call(self.get("layer_norm") ?? none, plain(operands, span), span));
      },
    });
  }

  /** One primitive, of which training and inference have each their own: `bn_train`, `bn_infer`. */
  private batchNorm(name: string): ClassValue {
    const states = ["gamma", "beta", "moving_mean", "moving_variance"];
    return this.cellClass(name, {
      init: (self, args, context, span) => {
        const { bound } = bindArguments(["num_features"], args);
        const channels = layerSize({ layer: name, given: bound, span }, "num_features", context);
        for (const state of states) self.set(state, this.parameter([channels], context, span));
        const isTraining = {
          name: "is_training",
          value: { kind: "bool", value: true },
          span,
        } as const;
        this.hold(self, "bn_train", "BatchNorm", [isTraining], context, span);
        this.hold(self, "bn_infer", "BatchNorm", [], context, span);
      },
      call: (self, [input], context, span) => {
        const operands = [input?.value ?? none, ...states.map((state) => self.get(state) ?? none)];
        return firstOf(context.call(self.get("bn_train") ?? none, plain(operands, span), span));
      },
    });
  }

  /** A convolution of images; its bias belongs to the channels that it makes. */
  private convolution(name: string): ClassValue {
    const others = ["stride", "pad_mode", "padding", "dilation", "group"] as const;
    return this.cellClass(name, {
      init: (self, args, context, span) => {
        const { bound } = bindArguments(
          ["in_channels", "out_channels", "kernel_size", ...others, "has_bias"],
          args,
        );
        const made = { layer: name, given: bound, span };
        const [inner, outer] = [
          layerSize(made, "in_channels", context),
          layerSize(made, "out_channels", context),
        ];
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
        const run = (member: string, ...operands: readonly Value[]) =>
          context.call(self.get(member) ?? none, plain(operands, span), span);
        const made = run("conv2d", input?.value ?? none, self.get("weight") ?? none);
        const bias = self.get("bias");
        return bias === undefined ? made : run("bias_add", made, bias);
      },
    });
  }

  private prelu(name: string): ClassValue {
    return this.cellClass(name, {
      init: (self, args, context, span) => {
        const { bound } = bindArguments(["channel", "w"], args);
        const channels = sizeOf(bound.get("channel")?.value ?? none) ?? 1;
        self.set("w", this.parameter([channels], context, span));
        this.hold(self, "prelu", "PReLU", [], context, span);
      },
      call: (self, [input], context, span) => {
        const operands = [input?.value ?? none, self.get("w") ?? none];
        return context.call(self.get("prelu") ?? none, plain(operands, span), span);
      },
    });
  }

  private embedding(name: string): ClassValue {
    return this.cellClass(name, {
      init: (self, args, context, span) => {
        const { bound } = bindArguments(["vocab_size", "embedding_size"], args);
        const made = { layer: name, given: bound, span };
        const rows = layerSize(made, "vocab_size", context);
        const columns = layerSize(made, "embedding_size", context);
        self.set("embedding_table", this.parameter([rows, columns], context, span));
        this.hold(self, "gather", "Embedding", [], context, span);
      },
      call: (self, [input], context, span) => {
        const operands = [input?.value ?? none, self.get("embedding_table") ?? none];
        return context.call(self.get("gather") ?? none, plain(operands, span), span);
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
    return hostClass(
      name,
      {
        __init__: ([self, ...args], context, span) => {
          if (self?.value.kind !== "instance") return none;
          modules.made.add(self.value);
          init(self.value.attributes, args, context, span);
          return none;
        },
        __call__: run,
        construct: run,
      },
      [this.cell],
    );
  }
}

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

function plain(values: readonly Value[], span: Span): readonly Argument[] {
  return values.map((value) => ({ value, span }));
}
