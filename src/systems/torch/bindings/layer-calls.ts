import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import { fieldOf } from "#core/records";
import type { TensorBindings } from "#language/document/bindings";
import { integer, integersOf, itemsOf, none } from "#language/document/bindings/values";
import { certainSizes, type Recorder } from "#language/document/trace";
import type { Argument, Context, InstanceValue, Value } from "#language/python";
import type { CallFault } from "./call-fault.ts";
import { ofTensors } from "./call-faults.ts";
import { keptFault } from "./inference-tensors.ts";
import { batchNormFault, reductionFault } from "./layer-faults.ts";
import { inPlaces, inputsFault } from "./layer-inputs.ts";
import type { Layer } from "./layer-table.ts";
import type { LearntStatistics } from "./learnt-statistics.ts";
import { paddingSides } from "./same-padding.ts";

/** Arguments of a convolution with one number per spatial dim; a single number becomes a tuple. */
export const spatial: ReadonlySet<string> = new Set([
  "kernel_size",
  "stride",
  "padding",
  "dilation",
]);

/** What calls of layers are recorded with. */
interface CallParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly learnt: LearntStatistics;
}

/** Calls of layers: the operator of the library with the weights and settings that the layer holds. */
export class LayerCalls {
  private readonly recorder: Recorder;
  private readonly tensors: TensorBindings;
  private readonly learnt: LearntStatistics;

  constructor({ recorder, tensors, learnt }: CallParts) {
    this.recorder = recorder;
    this.tensors = tensors;
    this.learnt = learnt;
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
    if (images === undefined || sides === undefined) return inputs;
    const value = this.plain("pad", [images, { name: "pad", value: sides, span }], context, span);
    return [{ ...images, value }, ...rest];
  }

  /** Calls an operator of the library beside that of a layer. */
  private plain(op: string, args: readonly Argument[], context: Context, span: Span): Value {
    const entry = library.get(op);
    const style = { op, reducesInside: false };
    return entry === undefined ? none : this.tensors.call(entry, style, args, context, span);
  }

  /** A convolution of one image without a batch dim, run as a batch of one. */
  private inBatch(
    { entry, rank }: Layer,
    args: readonly Argument[],
    run: (args: readonly Argument[]) => Value,
    context: Context,
    span: Span,
  ): Value {
    const [image, ...rest] = args;
    const dims = this.tensors.tensorOf(image?.value)?.shape?.length;
    const isAlone = entry.startsWith("conv") && rank !== undefined && dims === rank + 1;
    if (image === undefined || !isAlone) return run(args);
    const along = { name: "dim", value: integer(0), span };
    const value = this.plain("unsqueeze", [image, along], context, span);
    const made = { value: run([{ ...image, value }, ...rest]), span };
    return this.plain("squeeze", [made, along], context, span);
  }

  /** Why a layer refuses what it is given: a norm over batches, a table of rows, a loss. */
  private callFault(
    { entry }: Layer,
    self: InstanceValue,
    inputs: readonly Argument[],
  ): CallFault | undefined {
    const operands = [...inputs.map(({ value }) => value), self.attributes.get("weight")];
    const form =
      inputsFault(self.type.name, entry, inputs, this.tensors) ??
      keptFault(this.tensors, entry, operands);
    if (form !== undefined) return form;
    const shape = certainSizes(this.tensors.tensorOf(inputs[0]?.value));
    const places = { input: inputs[0], target: inputs[1] };
    const misfit = ofTensors(this.tensors, entry, (parameter) => {
      const named = inputs.find(({ name }) => name === parameter) ?? fieldOf(places, parameter);
      if (parameter === "training") return { kind: "bool", value: !isEvaluating(self) };
      return named?.value ?? self.attributes.get(parameter);
    });
    if (misfit !== undefined) return misfit;
    const reduction = reductionFault(entry, self.attributes.get("reduction"));
    if (reduction !== undefined) return reduction;
    return shape && batchNormFault(self.type.name, shape, !isEvaluating(self));
  }

  /** The result of `layer(inputs)`. */
  call(
    layer: Layer,
    self: Value,
    written: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    if (self.kind !== "instance") return none;
    const inputs = inPlaces(self.type.name, written);
    const [first] = inputs;
    // An identity returns its argument, even if it is no tensor.
    const isNone = first !== undefined && this.tensors.tensorOf(first.value) === undefined;
    if (layer.entry === "identity" && isNone) return first.value;
    const fault = span.from < 0 ? undefined : this.callFault(layer, self, inputs);
    if (fault !== undefined) return context.raise(...fault, span);
    const { learnt } = layer;
    const isLearnt = learnt !== undefined && this.learnt.isRead(self);
    const entry = library.get(isLearnt ? learnt.entry : layer.entry);
    if (entry === undefined) return none;
    const statistics = isLearnt ? this.learnt.asArguments(self, learnt, context, span) : [];
    const held = (name: string): readonly Argument[] => {
      const value = self.attributes.get(name);
      const isSpatial = layer.rank !== undefined && spatial.has(name);
      const own = value !== undefined && isSpatial ? asOne(value) : value;
      if (own === undefined || own.kind === "none") return [];
      return own === fieldOf(layer.holds ?? {}, name) ? [] : [{ name, value: own, span }];
    };
    const weights = ["weight", "bias"].flatMap(held);
    const attributes = (layer.attributes ?? [])
      .filter((name) => isSaid(name, self, weights))
      .flatMap(held);
    const style = { op: layer.entry, reducesInside: false };
    const { operators } = this.recorder.trace;
    const before = operators.length;
    const isIdle = layer.entry === "dropout" && isEvaluating(self);
    const given = [
      ...statistics,
      ...weights,
      ...(isIdle ? [{ name: "p", value: integer(0), span }] : attributes),
    ];
    const args = [...this.padded(self, inputs, context, span), ...given];
    const run = (taken: readonly Argument[]) =>
      this.tensors.call(entry, style, taken, context, span);
    const result = this.inBatch(layer, args, run, context, span);
    for (const made of operators.slice(before)) made.layer = self;
    return result;
  }
}

/** The one number of which a tuple consists, as the operator is written; else the tuple. */
function asOne(value: Value): Value {
  const [first] = value.kind === "tuple" ? value.items : [];
  const numbers = integersOf(value) ?? [];
  const isSame = numbers.length > 0 && numbers.every((each) => each === numbers[0]);
  return first !== undefined && isSame ? first : value;
}

/** Whether a module is in evaluation mode, where dropouts do nothing. */
function isEvaluating({ attributes }: InstanceValue): boolean {
  const training = attributes.get("training");
  return training?.kind === "bool" && !training.value;
}

/** Whether an attribute of a layer says anything: the weight has the shape that is normalised. */
function isSaid(
  name: string,
  { attributes }: InstanceValue,
  weights: readonly Argument[],
): boolean {
  if (name !== "normalized_shape") return true;
  const value = attributes.get(name);
  return weights.length === 0 && value !== undefined && (itemsOf(value)?.length ?? 1) > 1;
}
