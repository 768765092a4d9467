// The members of a layer of mindspore.nn: parameters, and the primitives that it runs.

import type { Span } from "#core/diagnostics";
import { typeSaid } from "#language/document/bindings/types";
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

const single = { dtype: "f32", dtypeText: "f32" } as const;

/** Makes the members of layers. */
export class LayerMembers {
  private readonly parts: Pick<MindsporeParts, "recorder" | "tensors">;
  private readonly primitives: Primitives;
  private type: NonNullable<ReturnType<typeof typeSaid>> = single;

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

  /** Makes the members of a layer whose parameters are of a type; of float32 when unsaid. */
  inType(type: Value | undefined, make: () => void): void {
    const before = this.type;
    this.type = typeSaid(type) ?? single;
    try {
      make();
    } finally {
      this.type = before;
    }
  }

  /** A parameter of the layer's type. */
  parameter(shape: readonly Size[], context: Context, span: Span): Value {
    const { recorder, tensors } = this.parts;
    const isGiven = shape.every((size) => typeof size === "number");
    const spec = { role: "parameter", shape, shapeStatus: isGiven ? "set" : "assumed" } as const;
    return tensors.object(recorder.leaf({ ...spec, ...this.type, span }, context));
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

/** The result of a layer plus its bias, if it has one. */
export function biased(self: Attributes, made: Value, run: ReturnType<typeof running>): Value {
  const bias = self.get("bias");
  return bias === undefined || bias.kind === "none" ? made : run("bias_add", made, bias);
}
