// Running statistics: layers collect them from their inputs in training and normalise with them in
// evaluation.

import type { Span } from "#core/diagnostics";
import { type ModuleClasses, sizeOf, type TensorBindings } from "#language/document/bindings";
import type { Recorder } from "#language/document/trace";
import type { Argument, Context, InstanceValue, Value } from "#language/python";
import type { Learnt } from "./layer-table.ts";
import { defaultType } from "./torch-types.ts";

/** What buffers of statistics are made with. */
interface StatisticsParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly modules: ModuleClasses;
}

/**
 * The statistics that layers hold. A graph has them where something reads them only, so that they
 * are made when they are asked for first.
 */
export class LearntStatistics {
  private readonly parts: StatisticsParts;

  constructor(parts: StatisticsParts) {
    this.parts = parts;
  }

  /** Whether a layer reads its learnt statistics: in evaluation, if it has any. */
  isRead({ attributes }: InstanceValue): boolean {
    return !holds(attributes.get("training"), true) && holdsStatistics(attributes);
  }

  /** The statistics of a layer as its operator takes them. */
  asArguments(
    layer: InstanceValue,
    learnt: Learnt,
    context: Context,
    span: Span,
  ): readonly Argument[] {
    return Object.entries(learnt.buffers).flatMap(([name, as]): Argument[] => {
      const held = layer.attributes.get(name);
      const value = held ?? this.buffer(layer, learnt, name, context, span);
      return value === undefined || value.kind === "none" ? [] : [{ name: as, value, span }];
    });
  }

  /**
   * A buffer of a layer, made when it is first asked for; `undefined` if the layer has none of that
   * name.
   */
  buffer(
    layer: InstanceValue,
    { buffers, size }: Learnt,
    name: string,
    context: Context,
    span: Span,
  ): Value | undefined {
    if (!Object.hasOwn(buffers, name)) return undefined;
    const { attributes } = layer;
    if (!holdsStatistics(attributes)) return { kind: "none" };
    const { recorder, tensors, modules } = this.parts;
    const given = attributes.get(size);
    const count = given === undefined ? undefined : sizeOf(given);
    const weight = tensors.tensorOf(attributes.get("weight"));
    const { dtype, dtypeText } = weight ?? defaultType(tensors.types);
    const tensor = recorder.leaf(
      {
        role: "input",
        shape: count === undefined ? undefined : [count],
        shapeStatus: typeof count === "number" ? "set" : "assumed",
        dtype,
        dtypeText,
        span,
      },
      context,
    );
    const value = tensors.object(tensor);
    attributes.set(name, value);
    modules.buffers.note(layer, name, true);
    return value;
  }
}

function holdsStatistics(attributes: InstanceValue["attributes"]): boolean {
  return holds(attributes.get("track_running_stats"), true);
}

function holds(value: Value | undefined, otherwise: boolean): boolean {
  return value?.kind === "bool" ? value.value : otherwise;
}
