import type { Span } from "#core/diagnostics";
import { type DType, library, parseDType } from "#core/ir";
import { fieldOf } from "#core/records";
import {
  bindArguments,
  freshSize,
  integerOf,
  integersOf,
  layerSize,
  layerSizes,
  type ModuleClasses,
  none,
  type Recorder,
  type Size,
  type TensorBindings,
  text,
  textOf,
} from "#language/document/bindings";
import {
  type Argument,
  type ClassValue,
  type Context,
  hostClass,
  type InstanceValue,
  type SpanTree,
  type Value,
} from "#language/python";
import { writtenLayerParameters } from "../library/index.ts";
import { inLayerOrder, requireLayerKeywords } from "./layer-keywords.ts";
import { paddingSides, withNumbers } from "./same-padding.ts";
import type { TorchSettings } from "./torch-settings.ts";

type Given = ReadonlyMap<string, Argument>;
type Shape = readonly Size[];

/** The sizes that a layer is made with, by the names of its constructor's parameters. */
interface Sizes {
  readonly one: (name: string) => Size;
  readonly row: (name: string, count?: number) => Shape;
}

type Weights = (given: Given, sizes: Sizes) => Readonly<Record<string, Shape>>;

/** A layer: its constructor's parameters, its weights, and the operator that a call is. */
interface Layer {
  readonly parameters: readonly string[];
  readonly weights: Weights;
  /** The constructor's parameters that are the first dims of its weights, as written. */
  readonly sizes?: Readonly<Record<string, readonly string[]>>;
  readonly entry: string;
  /** Attributes of the operator, from the constructor's arguments by name. */
  readonly attributes?: readonly string[];
  /** The spatial dims of a convolution. */
  readonly rank?: 1 | 2 | 3;
}

const none_: Weights = () => ({});

const linear: Weights = (given, { one }) => {
  const [inner, outer] = [one("in_features"), one("out_features")];
  return { weight: [outer, inner], ...(flag(given, "bias") && { bias: [outer] }) };
};

const normalised: Weights = (given, { row }) => {
  const shape = row("normalized_shape");
  if (!flag(given, "elementwise_affine")) return {};
  return { weight: shape, ...(flag(given, "bias") && { bias: shape }) };
};

function channels(name: string): Weights {
  return (given, { one }) => {
    const size = one(name);
    if (!flag(given, "affine")) return {};
    return { weight: [size], ...(flag(given, "bias") && { bias: [size] }) };
  };
}

function convolution(rank: 1 | 2 | 3): Layer {
  return {
    rank,
    parameters: [
      "in_channels",
      "out_channels",
      "kernel_size",
      "stride",
      "padding",
      "dilation",
      "groups",
      "bias",
    ],
    weights: (given, { one, row }) => {
      const [inner, outer] = [one("in_channels"), one("out_channels")];
      const groups = integerOf(given.get("groups")?.value) ?? 1;
      return {
        weight: [outer, inGroups(inner, groups), ...row("kernel_size", rank)],
        ...(flag(given, "bias") && { bias: [outer] }),
      };
    },
    sizes: { weight: ["out_channels", "in_channels"] },
    entry: `conv${rank}d`,
    attributes: ["stride", "padding", "dilation", "groups"],
  };
}

/** What a convolution has once for each spatial dim, as a tuple also where one number is given. */
const spatial: ReadonlySet<string> = new Set(["kernel_size", "stride", "padding", "dilation"]);

function timesOf(value: Value, rank = 1): Value {
  const isOne = value.kind !== "tuple" && value.kind !== "list" && value.kind !== "str";
  return isOne ? { kind: "tuple", items: Array.from({ length: rank }, () => value) } : value;
}

/** The one number of which a tuple consists, as the operator is written; else the tuple. */
function asOne(value: Value): Value {
  const [first] = value.kind === "tuple" ? value.items : [];
  const numbers = integersOf(value) ?? [];
  const isSame = numbers.length > 0 && numbers.every((each) => each === numbers[0]);
  return first !== undefined && isSame ? first : value;
}

/** The channels that one of the groups of a convolution reads. */
function inGroups(channels: Size, groups: number): Size {
  if (typeof channels === "number") return Math.max(1, Math.floor(channels / groups));
  return groups === 1 ? channels : freshSize();
}

function plain(entry: string, parameters: readonly string[] = [], attributes = parameters): Layer {
  return { parameters, weights: none_, entry, attributes };
}

/** Of losses, in torch's order. */
const loss = ["size_average", "reduce", "reduction"];
const classLoss = ["weight", "size_average", "ignore_index", "reduce", "reduction"];

const batchParameters = ["num_features", "eps", "momentum", "affine", "track_running_stats"];

/** What layers have that the text does not give them. */
const defaults: Readonly<Record<string, Value>> = {
  eps: { kind: "float", value: 1e-5 },
  p: { kind: "float", value: 0.5 },
  start_dim: { kind: "int", value: 1n },
  ...Object.fromEntries(
    ["groups", "stride", "dilation"].map((name) => [name, { kind: "int", value: 1n }]),
  ),
  padding: { kind: "int", value: 0n },
};

const layers: Readonly<Record<string, Layer>> = {
  Linear: {
    parameters: ["in_features", "out_features", "bias"],
    weights: linear,
    sizes: { weight: ["out_features", "in_features"] },
    entry: "linear",
  },
  Embedding: {
    parameters: ["num_embeddings", "embedding_dim", "padding_idx"],
    weights: (_, { one }) => ({ weight: [one("num_embeddings"), one("embedding_dim")] }),
    sizes: { weight: ["num_embeddings", "embedding_dim"] },
    entry: "embedding",
  },
  LayerNorm: {
    parameters: ["normalized_shape", "eps", "elementwise_affine", "bias"],
    weights: normalised,
    entry: "layer_norm",
    attributes: ["eps"],
  },
  RMSNorm: {
    parameters: ["normalized_shape", "eps", "elementwise_affine"],
    weights: (given, sizes) => {
      const { weight } = normalised(given, sizes);
      return weight === undefined ? {} : { weight };
    },
    entry: "rms_norm",
    attributes: ["eps"],
  },
  GroupNorm: {
    parameters: ["groups", "num_channels", "eps", "affine"],
    weights: channels("num_channels"),
    entry: "group_norm",
    attributes: ["groups", "eps"],
  },
  BatchNorm1d: {
    ...plain("batch_norm", batchParameters, ["eps"]),
    weights: channels("num_features"),
  },
  BatchNorm2d: {
    ...plain("batch_norm", batchParameters, ["eps"]),
    weights: channels("num_features"),
  },
  BatchNorm3d: {
    ...plain("batch_norm", batchParameters, ["eps"]),
    weights: channels("num_features"),
  },
  SyncBatchNorm: {
    ...plain("batch_norm", batchParameters, ["eps"]),
    weights: channels("num_features"),
  },
  Conv1d: convolution(1),
  Conv2d: convolution(2),
  Conv3d: convolution(3),
  Dropout: plain("dropout", ["p"]),
  Identity: plain("identity"),
  Flatten: plain("flatten", ["start_dim", "end_dim"]),
  Softmax: plain("softmax", ["dim"]),
  LogSoftmax: plain("log_softmax", ["dim"]),
  LeakyReLU: plain("leaky_relu", ["negative_slope"]),
  CrossEntropyLoss: plain("cross_entropy", classLoss, ["reduction"]),
  MSELoss: plain("mse_loss", loss, ["reduction"]),
  L1Loss: plain("l1_loss", loss, ["reduction"]),
  NLLLoss: plain("nll_loss", classLoss, ["reduction"]),
  BCEWithLogitsLoss: plain("binary_cross_entropy_with_logits", ["weight", ...loss], ["reduction"]),
  ReLU: plain("relu"),
  ReLU6: plain("relu6"),
  GELU: plain("gelu"),
  SiLU: plain("silu"),
  Mish: plain("mish"),
  ELU: plain("elu"),
  Tanh: plain("tanh"),
  Sigmoid: plain("sigmoid"),
  Softplus: plain("softplus"),
  Hardswish: plain("hardswish"),
};

/** The layers of `torch.nn` by class name, with the parameters that their construction takes. */
export const torchLayerParameters: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(layers).map(([name, { parameters }]) => [name, parameters] as const),
  ...writtenLayerParameters,
]);

/** What the layers are made of. */
interface LayerParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly modules: ModuleClasses;
  readonly settings: TorchSettings;
}

/** The layers of `torch.nn` that are operators of the library with weights of their own. */
export class TorchLayers {
  private readonly classes = new Map<string, ClassValue>();
  private readonly recorder: Recorder;
  private readonly tensors: TensorBindings;
  private readonly modules: ModuleClasses;
  private readonly settings: TorchSettings;

  constructor({ recorder, tensors, modules, settings }: LayerParts) {
    this.recorder = recorder;
    this.tensors = tensors;
    this.modules = modules;
    this.settings = settings;
  }

  /** `nn.Linear` and its like; `undefined` for what is no layer here. */
  class(name: string): ClassValue | undefined {
    const layer = Object.hasOwn(layers, name) ? fieldOf(layers, name) : undefined;
    if (layer === undefined) return undefined;
    const known = this.classes.get(name);
    if (known !== undefined) return known;
    const made = this.layerClass(name, layer);
    this.classes.set(name, made);
    return made;
  }

  private layerClass(name: string, layer: Layer): ClassValue {
    const call = ([self, ...inputs]: readonly Argument[], context: Context, span: Span) =>
      self === undefined ? none : this.call(layer, self.value, inputs, context, span);
    return hostClass(
      name,
      {
        __init__: ([self, ...args], context, span) => {
          if (self?.value.kind !== "instance") return none;
          this.modules.made.add(self.value);
          requireLayerKeywords(name, args, context);
          const ordered = inLayerOrder(name, args);
          this.settings.say(name, ordered, context);
          const named = new Map(ordered.map((each) => [each.name ?? "", each]));
          const first = bindArguments(layer.parameters, args.map(renamed)).bound;
          const given = reduced(withBias(first, named));
          const { bound, sides } = withNumbers(given, layer.rank ?? 0, context, span);
          if (sides !== undefined) self.value.attributes.set(paddingSides, sides);
          const made = { layer: name, given: bound, span };
          const sizes: Sizes = {
            one: (key) => layerSize(made, key, context),
            row: (key, count) => layerSizes(made, key, context, count),
          };
          for (const key of layer.parameters) {
            const value = bound.get(key)?.value ?? fieldOf(defaults, key);
            const isSpatial = layer.rank !== undefined && spatial.has(key);
            if (value !== undefined)
              self.value.attributes.set(key, isSpatial ? timesOf(value, layer.rank) : value);
          }
          if (!flag(bound, "bias")) self.value.attributes.set("bias", none);
          for (const [key, shape] of Object.entries(layer.weights(bound, sizes))) {
            const names = bound.has("groups") ? [] : (fieldOf(layer.sizes, key) ?? []);
            const tree = writtenSizes(names, bound, span);
            self.value.attributes.set(key, this.weight(shape, tree, typeOf(named), context, span));
          }
          return none;
        },
        forward: call,
      },
      [this.modules.module],
    );
  }

  private weight(
    shape: Shape,
    shapeTree: SpanTree,
    type: ReturnType<typeof typeOf>,
    context: Context,
    span: Span,
  ): Value {
    const isGiven = shape.every((size) => typeof size === "number");
    const spec = { role: "parameter", shape, shapeStatus: isGiven ? "set" : "assumed" } as const;
    const tensor = this.recorder.leaf({ ...spec, shapeTree, ...type, span }, context);
    return this.tensors.object(tensor);
  }

  /** The images of a convolution with more on one side than on the other, where it holds that. */
  private padded(
    { attributes }: InstanceValue,
    inputs: readonly Argument[],
    context: Context,
    span: Span,
  ): readonly Argument[] {
    const [images, ...rest] = inputs;
    const sides = attributes.get(paddingSides);
    const entry = library.get("pad");
    if (images === undefined || sides === undefined || entry === undefined) return inputs;
    const args = [images, { name: "pad", value: sides, span }];
    const value = this.tensors.call(
      entry,
      { op: "pad", reducesInside: false },
      args,
      context,
      span,
    );
    return [{ ...images, value }, ...rest];
  }

  private call(
    layer: Layer,
    self: Value,
    inputs: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    const entry = library.get(layer.entry);
    if (entry === undefined || self.kind !== "instance") return none;
    const given = (name: string): readonly Argument[] => {
      const value = self.attributes.get(name);
      const isSpatial = layer.rank !== undefined && spatial.has(name);
      const held = value !== undefined && isSpatial ? asOne(value) : value;
      return held === undefined || held.kind === "none" ? [] : [{ name, value: held, span }];
    };
    const weights = ["weight", "bias"].flatMap(given);
    const attributes = (layer.attributes ?? []).flatMap(given);
    const style = { op: layer.entry, reducesInside: false };
    const { operators } = this.recorder.trace;
    const before = operators.length;
    const args = [...this.padded(self, inputs, context, span), ...weights, ...attributes];
    const result = this.tensors.call(entry, style, args, context, span);
    for (const made of operators.slice(before)) made.layer = self;
    return result;
  }
}

/** The data type that the weights of a layer are asked to have. */
function typeOf(given: Given): { readonly dtype: DType; readonly dtypeText: string } {
  const dtypeText = textOf(given.get("dtype")?.value) ?? "f32";
  const dtype = parseDType(dtypeText);
  return dtype === undefined ? { dtype: "f32", dtypeText: "f32" } : { dtype, dtypeText };
}

/** With `bias=`, which some layers take behind what is otherwise read of them. */
function withBias(bound: Given, named: Given): Given {
  const bias = named.get("bias");
  return bias === undefined || bound.has("bias") ? bound : new Map(bound).set("bias", bias);
}

/** The settings of losses from before `reduction`, as that. */
function reduced(bound: Given): Given {
  const says = (name: string) => bound.get(name)?.value.kind === "bool";
  const given = ["size_average", "reduce"].find(says);
  const at = given === undefined ? undefined : bound.get(given);
  if (at === undefined) return bound;
  const value = text(reductionOf(bound.get("size_average")?.value, bound.get("reduce")?.value));
  return new Map(bound).set("reduction", { name: "reduction", value, span: at.span });
}

/** What `size_average` and `reduce` say together. */
function reductionOf(average: Value | undefined, reduce: Value | undefined): string {
  if (reduce?.kind === "bool" && !reduce.value) return "none";
  return average?.kind === "bool" && !average.value ? "sum" : "mean";
}

/** Other names of torch for the parameters of layers. */
function renamed(argument: Argument): Argument {
  return argument.name === "num_groups" ? { ...argument, name: "groups" } : argument;
}

/** Where the sizes of a weight stand among the arguments of its layer. */
function writtenSizes(names: readonly string[], given: Given, span: Span): SpanTree {
  const other: SpanTree = { kind: "other", span, items: [] };
  return { kind: "tuple", span, items: names.map((name) => given.get(name)?.tree ?? other) };
}

/** A flag of a constructor that is true unless it says otherwise. */
function flag(given: Given, name: string): boolean {
  const value = given.get(name)?.value;
  return !(value?.kind === "bool" && !value.value) && value?.kind !== "none";
}
