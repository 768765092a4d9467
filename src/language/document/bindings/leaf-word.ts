import type { Span } from "#core/diagnostics";
import { nearestDType } from "#core/ir";
import type { Argument, Context, Value } from "#language/python";
import { writing } from "../fix.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { Size } from "../trace/size.ts";
import { asWhole, placedItems } from "./argument-checks.ts";
import { assumedOf, rankLimit, shapeOf, sizeOf } from "./assumed.ts";
import type { TensorBindings } from "./tensors.ts";
import { isDType, typeSaid } from "./types/dtype-values.ts";
import { itemsOf, textOf } from "./values/values.ts";

/** `Tensor((8, 4), "bf16")` and `Parameter(…)`: a leaf made by the native words. */
export function leafWord(
  recorder: Recorder,
  tensors: TensorBindings,
  role: "input" | "parameter",
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const word = role === "input" ? "Tensor" : "Parameter";
  const stranger = args.find(
    ({ name }) => name !== undefined && name !== "shape" && name !== "dtype",
  );
  if (stranger !== undefined) {
    const message = `${word}() has no "${stranger.name}": it takes shape, dtype`;
    return context.raise("TypeError", message, stranger.nameSpan ?? stranger.span);
  }
  const shapeArgument = args.find(
    ({ value, name }) =>
      name === "shape" || itemsOf(value) !== undefined || sizeOf(value) !== undefined,
  );
  const shape = shapeArgument === undefined ? undefined : shapeIn(shapeArgument, context);
  const dtypeArgument = args.find(
    ({ value, name }) =>
      (name === "dtype" && isSaid(value)) || value.kind === "str" || isDType(value),
  );
  const more = args.find(
    (each) => each !== shapeArgument && each !== dtypeArgument && isSaid(each.value),
  );
  if (more !== undefined) {
    const message = `${word}() takes one shape and one data type, e.g. ${word}((8, 4), "bf16")`;
    return context.raise("TypeError", message, more.span);
  }
  const tree = shapeArgument?.tree;
  const isGiven = shape?.every((size) => typeof size === "number") === true;
  const shapeStatus = isGiven ? "set" : "assumed";
  const tensor = recorder.leaf(
    {
      role,
      shape,
      shapeStatus,
      ...(tree !== undefined && { shapeTree: tree }),
      ...(dtypeArgument === undefined ? plainType : typeIn(dtypeArgument, context)),
      isTypeAssumed: dtypeArgument === undefined,
      span,
    },
    context,
  );
  return tensors.object(tensor);
}

/** Whether an argument has a known value, so that ignoring it would be wrong. */
function isSaid(value: Value): boolean {
  return value.kind !== "none" && value.kind !== "unknown" && assumedOf(value) === undefined;
}

const plainType = { dtype: "f32", dtypeText: "f32" } as const;

/** Data type that an argument names, with its text; raises TypeError for any other value. */
function typeIn(
  { value, span }: Argument,
  context: Context,
): NonNullable<ReturnType<typeof typeSaid>> {
  const said = typeSaid(value);
  if (said !== undefined) return said;
  const wrong = textOf(value) ?? context.source.slice(span.from, span.to);
  const message = `"${wrong}" is no data type; try "f32" or "bf16"`;
  const fixes = [writing(span, `"${nearestDType(wrong)}"`)];
  return context.raise("TypeError", message, span, { fixes });
}

/** Shape of integers and undefined names, which are open sizes. */
export function shapeIn(argument: Argument, context: Context): readonly Size[] {
  const shape = shapeOf(argument.value);
  const rank = itemsOf(argument.value)?.length ?? 1;
  if (rank > rankLimit) {
    const message = `a tensor has at most ${rankLimit} dims here, not ${rank}`;
    return context.raise("ValueError", message, argument.span);
  }
  if (shape === undefined) {
    return context.raise(
      "TypeError",
      "a shape is a tuple of integers, e.g. (8, 4096)",
      argument.span,
      { fixes: asWhole(placedItems(argument.value, argument.tree), context.source) },
    );
  }
  const negative = shape.find((size) => typeof size === "number" && size < 0);
  if (negative !== undefined) {
    const message = `a shape has no negative size: ${String(negative)}`;
    return context.raise("ValueError", message, argument.span);
  }
  const huge = shape.find((size) => typeof size === "number" && size > Number.MAX_SAFE_INTEGER);
  if (huge !== undefined) {
    return context.raise("ValueError", "a size is below 2^53 here", argument.span);
  }
  return shape;
}
