// What a layer of mindspore.nn is made of: parameters, and primitives that it runs.

import type { Span } from "#core/diagnostics";
import { none } from "#language/document/bindings/values";
import type { Size } from "#language/document/trace";
import type { Argument, Context, Value } from "#language/python";
import type { MindsporeParts } from "./parts.ts";
import type { Primitives } from "./primitives.ts";

/** The attributes of one layer, by name. */
export type Attributes = Map<string, Value>;

/** What `__init__` and `construct` of a layer do. */
export interface CellBindings {
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

/** Makes the members of layers. */
export class LayerMembers {
  private readonly parts: Pick<MindsporeParts, "recorder" | "tensors">;
  private readonly primitives: Primitives;

  constructor(parts: LayerMembers["parts"], primitives: Primitives) {
    this.parts = parts;
    this.primitives = primitives;
  }

  /** Makes a primitive of a layer, which `layer.member.shard(…)` tells how to split. */
  hold(
    self: Attributes,
    member: string,
    primitive: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): void {
    self.set(member, this.primitives.make(primitive, args, context, span, { span, member }));
  }

  /** A parameter in f32. */
  parameter(shape: readonly Size[], context: Context, span: Span): Value {
    const { recorder, tensors } = this.parts;
    const isGiven = shape.every((size) => typeof size === "number");
    const spec = { role: "parameter", shape, shapeStatus: isGiven ? "set" : "assumed" } as const;
    return tensors.object(
      recorder.leaf({ ...spec, dtype: "f32", dtypeText: "f32", span }, context),
    );
  }
}

/** Runs a primitive that a layer holds on some values. */
export function running(self: Attributes, context: Context, span: Span) {
  return (member: string, ...values: readonly Value[]) =>
    context.call(
      self.get(member) ?? none,
      values.map((value) => ({ value, span })),
      span,
    );
}

/** What a layer computes, with its bias where it has one. */
export function biased(self: Attributes, made: Value, run: ReturnType<typeof running>): Value {
  const bias = self.get("bias");
  return bias === undefined || bias.kind === "none" ? made : run("bias_add", made, bias);
}
