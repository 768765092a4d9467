import type { Span } from "#core/diagnostics";
import type { DType } from "#core/ir";
import { fieldOf } from "#core/records";
import {
  layerSize,
  layerSizes,
  type ModuleClasses,
  type TensorBindings,
} from "#language/document/bindings";
import { typeSaid } from "#language/document/bindings/types";
import { bindArguments, none, text, textOf } from "#language/document/bindings/values";
import type { Recorder } from "#language/document/trace";
import {
  type Argument,
  type ClassValue,
  type Context,
  hostClass,
  type InstanceValue,
  type SpanTree,
  type Value,
} from "#language/python";
import { reductionOf } from "./entry-arguments.ts";
import { LayerCalls, spatial } from "./layer-calls.ts";
import { layerFault } from "./layer-faults.ts";
import { inLayerOrder, requireLayerKeywords } from "./layer-keywords.ts";
import {
  defaults,
  flag,
  type Given,
  type Layer,
  type Learnt,
  layers,
  type Shape,
  type Sizes,
} from "./layer-table.ts";
import { LearntStatistics } from "./learnt-statistics.ts";
import { paddingSides, withNumbers } from "./same-padding.ts";
import type { TorchSettings } from "./torch-settings.ts";
import { defaultType } from "./torch-types.ts";

function timesOf(value: Value, rank = 1): Value {
  const isOne = value.kind !== "tuple" && value.kind !== "list" && value.kind !== "str";
  return isOne ? { kind: "tuple", items: Array.from({ length: rank }, () => value) } : value;
}

/** Layers that are called with more than one tensor, or with a setting behind it. */
const takesOthers = /Loss|Transpose|Bag|Bilinear/u;

/** The parts of a run that the layers use. */
interface LayerParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly modules: ModuleClasses;
  readonly settings: TorchSettings;
  /** A name of `torch.nn` that is written in Python. */
  readonly member: (name: string, context: Context) => Value | undefined;
}

/** The layers of `torch.nn` that are operators of the library with weights of their own. */
export class TorchLayers {
  private readonly classes = new Map<string, ClassValue>();
  private readonly recorder: Recorder;
  private readonly tensors: TensorBindings;
  private readonly modules: ModuleClasses;
  private readonly settings: TorchSettings;
  private readonly learnt: LearntStatistics;
  private readonly calls: LayerCalls;
  private readonly member: LayerParts["member"];

  constructor({ recorder, tensors, modules, settings, member }: LayerParts) {
    this.member = member;
    this.recorder = recorder;
    this.tensors = tensors;
    this.modules = modules;
    this.settings = settings;
    this.learnt = new LearntStatistics({ recorder, tensors, modules });
    this.calls = new LayerCalls({ recorder, tensors, learnt: this.learnt });
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

  /** Calls a function that is written beside the layers that are written in Python. */
  private written(name: string, context: Context, args: readonly Argument[], span: Span): Value {
    const word = this.member(name, context);
    return word === undefined ? none : context.call(word, args, span);
  }

  private layerClass(name: string, layer: Layer): ClassValue {
    const call = ([self, ...inputs]: readonly Argument[], context: Context, span: Span) => {
      if (self === undefined) return none;
      const placed = inputs.filter((each) => each.name === undefined).length + 1;
      if (!takesOthers.test(name) && span.from >= 0 && (placed > 2 || inputs.length === 0)) {
        const takes = `${name}.forward() takes 2 positional arguments but ${placed} ${placed === 1 ? "was" : "were"} given`;
        return context.raise("TypeError", takes, span);
      }
      return this.calls.call(layer, self.value, inputs, context, span);
    };
    return hostClass(
      name,
      {
        // New numbers in the same weights.
        reset_parameters: () => none,
        __init__: ([self, ...args], context, span) => {
          if (self?.value.kind === "instance")
            this.initialise([name, layer], self.value, args, context, span);
          return none;
        },
        forward: call,
        ...(name === "SyncBatchNorm" && {
          convert_sync_batchnorm: ([module]: readonly Argument[]) => module?.value ?? none,
        }),
        ...(name === "Embedding" && {
          from_pretrained: (args: readonly Argument[], context: Context, span: Span) =>
            this.written("_table", context, args, span),
        }),
        ...(layer.learnt !== undefined && { __getattr__: this.heldOf(layer.learnt) }),
      },
      [this.modules.module],
    );
  }

  /** Makes a layer of its arguments: they are attributes of it, and so are its weights. */
  private initialise(
    [name, layer]: readonly [string, Layer],
    self: InstanceValue,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): void {
    this.modules.made.add(self);
    requireLayerKeywords(name, args, context, span);
    const ordered = inLayerOrder(name, args);
    this.settings.say(name, ordered, context);
    const named = new Map(ordered.map((each) => [each.name ?? "", each]));
    const first = bindArguments(layer.parameters, args.map(renamed)).bound;
    const given = reduced(withBias(first, named));
    const { bound, sides } = withNumbers(given, layer.rank ?? 0, context, span);
    if (sides !== undefined) self.attributes.set(paddingSides, sides);
    const made = { layer: name, given: bound, span };
    const fault = span.from < 0 ? undefined : layerFault(name, named);
    if (fault !== undefined) context.raise(...fault, span);
    const sizes: Sizes = {
      one: (key) => layerSize(made, key, context),
      row: (key, count) => layerSizes(made, key, context, count),
    };
    holdArguments(self, layer, bound);
    for (const [key, shape] of Object.entries(layer.weights(bound, sizes))) {
      const names = bound.has("groups") ? [] : (fieldOf(layer.sizes, key) ?? []);
      const tree = writtenSizes(names, bound, span);
      const type = this.typeOf(named);
      // Where `bias=True` was given, the attribute stands before the weight.
      self.attributes.delete(key);
      self.attributes.set(key, this.weight(shape, tree, type, context, span));
    }
  }

  /** An attribute of a layer that is made when it is asked for. */
  private heldOf(learnt: Learnt) {
    return ([self, asked]: readonly Argument[], context: Context, span: Span): Value => {
      const name = textOf(asked?.value) ?? "";
      const { value: layer } = self ?? {};
      if (layer?.kind !== "instance") return none;
      const held = this.learnt.buffer(layer, learnt, name, context, span);
      const message = `'${layer.type.name}' object has no attribute '${name}'`;
      return held ?? context.raise("AttributeError", message, span);
    };
  }

  private weight(
    shape: Shape,
    shapeTree: SpanTree,
    type: ReturnType<TorchLayers["typeOf"]>,
    context: Context,
    span: Span,
  ): Value {
    const isGiven = shape.every((size) => typeof size === "number");
    const spec = { role: "parameter", shape, shapeStatus: isGiven ? "set" : "assumed" } as const;
    const tensor = this.recorder.leaf({ ...spec, shapeTree, ...type, span }, context);
    return this.tensors.object(tensor);
  }

  /** The data type that the weights of a layer are asked to have, else the default. */
  private typeOf(given: Given): { readonly dtype: DType; readonly dtypeText: string } {
    return typeSaid(given.get("dtype")?.value) ?? defaultType(this.tensors.types);
  }
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

/** Other names of torch for the parameters of layers. */
function renamed(argument: Argument): Argument {
  return argument.name === "num_groups" ? { ...argument, name: "groups" } : argument;
}

/** Places of a weight's sizes among the arguments of its layer. */
function writtenSizes(names: readonly string[], given: Given, span: Span): SpanTree {
  const other: SpanTree = { kind: "other", span, items: [] };
  return { kind: "tuple", span, items: names.map((name) => given.get(name)?.tree ?? other) };
}

/** The arguments of a layer, or their defaults, as its attributes; a size for all dims as a row. */
function holdArguments(self: InstanceValue, layer: Layer, bound: Given): void {
  for (const key of layer.parameters) {
    const value = bound.get(key)?.value ?? fieldOf(layer.holds ?? defaults, key);
    const isSpatial = layer.rank !== undefined && spatial.has(key);
    const isRow = isSpatial || key === "normalized_shape";
    if (value !== undefined) self.attributes.set(key, isRow ? timesOf(value, layer.rank) : value);
  }
  if (!flag(bound, "bias")) self.attributes.set("bias", none);
}
