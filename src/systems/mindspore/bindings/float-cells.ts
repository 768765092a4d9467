import type { Span } from "#core/diagnostics";
import type { DType } from "#core/ir";
import { isFloat } from "#core/ir/types";
import type { TensorBindings } from "#language/document/bindings";
import { dtypeOf, longDType } from "#language/document/bindings/types";
import { text } from "#language/document/bindings/values";
import type { Argument, Context, InstanceValue, Value } from "#language/python";

/** Services for casts: tensors of the program, and the primitive `Cast`. */
interface FloatParts {
  readonly tensors: Pick<TensorBindings, "tensorOf">;
  readonly cast: () => Value;
}

/**
 * Cells that `to_float` runs in another float type. The compiler casts float arguments of such a
 * Cell and the parameters that it holds directly. `to_float` also sets each Cell below it.
 */
export class FloatCells {
  private readonly types = new WeakMap<InstanceValue, DType>();
  private readonly parts: FloatParts;

  constructor(parts: FloatParts) {
    this.parts = parts;
  }

  /**
   * `cell.to_float(type)`.
   *
   * @param cells the Cell and all below it
   */
  set(cells: readonly Value[], asked: Argument | undefined, context: Context, span: Span): void {
    const type = dtypeOf(asked?.value);
    if (asked?.value.kind === "unknown") return;
    if (type !== "f16" && type !== "f32" && type !== "bf16") {
      const said = asked === undefined ? "nothing" : context.text(asked.value);
      const message = `to_float takes float16, float32 or bfloat16, not ${said}`;
      context.raise("ValueError", message, asked?.span ?? span);
    }
    for (const each of cells) if (each.kind === "instance") this.types.set(each, type);
  }

  /** Runs a Cell with its float arguments and its own parameters cast to its type. */
  run(
    cell: Value,
    args: readonly Argument[],
    context: Context,
    span: Span,
    run: (args: readonly Argument[]) => Value,
  ): Value {
    const type = cell.kind === "instance" ? this.types.get(cell) : undefined;
    if (type === undefined || cell.kind !== "instance") return run(args);
    const cast = (value: Value) => this.cast(value, type, context, span);
    const held = [...cell.attributes].flatMap(([name, value]) => {
      const isParameter = this.parts.tensors.tensorOf(value)?.role === "parameter";
      const made = isParameter ? cast(value) : value;
      return made === value ? [] : [{ name, value, made }];
    });
    for (const { name, made } of held) cell.attributes.set(name, made);
    try {
      return run(args.map((each) => ({ ...each, value: cast(each.value) })));
    } finally {
      for (const { name, value, made } of held)
        if (cell.attributes.get(name) === made) cell.attributes.set(name, value);
    }
  }

  private cast(value: Value, type: DType, context: Context, span: Span): Value {
    if (value.kind === "tuple" || value.kind === "list") {
      const items = value.items.map((each) => this.cast(each, type, context, span));
      return items.every((each, at) => each === value.items[at]) ? value : { ...value, items };
    }
    const dtype = this.parts.tensors.tensorOf(value)?.dtype;
    if (dtype === undefined || dtype === type || !isFloat(dtype)) return value;
    const args = [value, text(longDType(type))].map((each) => ({ value: each, span }));
    return context.call(this.parts.cast(), args, span);
  }
}
