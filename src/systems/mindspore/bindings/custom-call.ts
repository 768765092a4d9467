import type { Span } from "#core/diagnostics";
import type { TensorBindings } from "#language/document/bindings";
import { bindArguments, integerOf, itemsOf } from "#language/document/bindings/values";
import type { Recorder } from "#language/document/trace";
import type { Argument, Context, Value } from "#language/python";

/** A call of `Custom`: its tensor operands in a flat list, and the shapes of its results. */
export interface CustomCall {
  readonly operands: readonly Value[];
  readonly results: readonly (readonly number[])[];
}

/**
 * Operands and result shapes of a `Custom`. Its `out_shape` is a function of the shapes of its
 * inputs (a list of tensors gives a tuple of shapes), a shape, or a tuple of shapes. `undefined` if
 * the shapes are not known.
 */
export function customCall(
  { tensors }: { readonly recorder: Recorder; readonly tensors: TensorBindings },
  constructed: readonly Argument[],
  args: readonly Argument[],
  context: Context,
  span: Span,
): CustomCall | undefined {
  const { bound } = bindArguments(["func", "out_shape"], constructed);
  const asked = bound.get("out_shape")?.value;
  if (asked === undefined) return undefined;
  const shapes = args.map(({ value }) => ({
    value: shapesIn(tensors, value, context, span),
    span,
  }));
  const isFunction = asked.kind === "function" || asked.kind === "host-function";
  const given = isFunction
    ? context.attempt(() => context.call(asked, shapes, span), { isQuiet: true })
    : asked;
  const results = given && shapesOf(given);
  if (results === undefined) return undefined;
  const operands = args.flatMap(({ value }) => {
    const items = itemsOf(value) ?? [];
    return items.some((item) => tensors.tensorOf(item) !== undefined) ? items : [value];
  });
  return { operands, results };
}

/**
 * The shape of a tensor, or a tuple of the shapes in a list; any other value gives an empty tuple.
 */
function shapesIn(tensors: TensorBindings, value: Value, context: Context, span: Span): Value {
  if (tensors.tensorOf(value) !== undefined) return context.getAttribute(value, "shape", span);
  const items = itemsOf(value) ?? [];
  return { kind: "tuple", items: items.map((item) => shapesIn(tensors, item, context, span)) };
}

function shapesOf(value: Value): readonly (readonly number[])[] | undefined {
  const items = itemsOf(value);
  if (items === undefined) return undefined;
  const sizes = items.map(integerOf);
  if (sizes.every((size) => size !== undefined)) return [sizes];
  const several = items.map(shapesOf);
  return several.every((each) => each?.length === 1)
    ? several.flatMap((each) => each ?? [])
    : undefined;
}
