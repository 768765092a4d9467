// Members of a layer of mindspore.nn: its parameters and primitives.

import type { Span } from "#core/diagnostics";
import { typeSaid } from "#language/document/bindings/types";
import { none } from "#language/document/bindings/values";
import type { Size } from "#language/document/trace";
import type { Argument, Context, Value } from "#language/python";
import type { MindsporeParts } from "./parts.ts";
import type { Primitives } from "./primitives.ts";

/** Attributes of one layer by name. */
export type Attributes = Map<string, Value>;

/** `__init__` and `construct` of a layer. */
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

  /**
   * Makes a primitive of a layer and stores it as an attribute, so that `layer.member.shard(…)` can
   * set its strategy.
   */
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

  /** Runs `make` with `type` as the data type of the layer's parameters; float32 by default. */
  inType(type: Value | undefined, make: () => void): void {
    const before = this.type;
    this.type = typeSaid(type) ?? single;
    try {
      make();
    } finally {
      this.type = before;
    }
  }

  /** Makes a parameter of the layer's data type. */
  parameter(shape: readonly Size[], context: Context, span: Span): Value {
    const { recorder, tensors } = this.parts;
    const isGiven = shape.every((size) => typeof size === "number");
    const spec = { role: "parameter", shape, shapeStatus: isGiven ? "set" : "assumed" } as const;
    return tensors.object(recorder.leaf({ ...spec, ...this.type, span }, context));
  }
}

/** A function that runs a primitive held by a layer on some values. */
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
