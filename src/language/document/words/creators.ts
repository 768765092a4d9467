import type { Span } from "#core/diagnostics";
import { parseDType } from "#core/ir";
import type { Argument, Context, Value } from "#language/python";
import type { Recorder } from "../recorder.ts";
import type { Size } from "../size.ts";
import { hostFunction } from "./namespace.ts";
import type { TensorWords } from "./tensors.ts";
import { itemsOf, textOf } from "./values.ts";
import { shapeOf, sizeOf } from "./written-shape.ts";

const filled = ["randn", "rand", "zeros", "ones", "empty"];
const like = ["randn_like", "rand_like", "zeros_like", "ones_like", "empty_like", "full_like"];

/** Functions that make a tensor out of a shape: to the graph it is an input. */
export function creators(recorder: Recorder, tensors: TensorWords): ReadonlyMap<string, Value> {
  const make = (
    shape: readonly Size[] | undefined,
    args: readonly Argument[],
    dtype: string,
    context: Context,
    span: Span,
  ): Value => {
    const dtypeText = textOf(args.find(({ name }) => name === "dtype")?.value) ?? dtype;
    const isGiven = shape?.every((size) => typeof size === "number") === true;
    const tensor = recorder.leaf(
      {
        role: "input",
        shape,
        shapeStatus: isGiven ? "set" : "assumed",
        dtype: parseDType(dtypeText) ?? "f32",
        dtypeText,
        span,
      },
      context.frames,
    );
    return tensors.object(tensor);
  };
  const words = [
    ...filled.map((name) =>
      hostFunction(name, (args, context, span) => make(shapeIn(args), args, "f32", context, span)),
    ),
    ...like.map((name) =>
      hostFunction(name, (args, context, span) => {
        const source = tensors.tensorOf(args[0]?.value);
        return make(source?.shape, args, source?.dtypeText ?? "f32", context, span);
      }),
    ),
    hostFunction("full", (args, context, span) =>
      make(shapeIn(args.slice(0, 1)), args, "f32", context, span),
    ),
    hostFunction("randint", (args, context, span) => {
      const shape = args.find(({ name, value }) => name === "size" || itemsOf(value) !== undefined);
      return make(shape && shapeOf(shape.value), args, "int64", context, span);
    }),
    hostFunction("arange", (args, context, span) => {
      const numbers = args
        .filter(({ name }) => name === undefined)
        .map(({ value }) => sizeOf(value));
      return make([countOf(numbers)], args, "int64", context, span);
    }),
    hostFunction("tensor", (args, context, span) =>
      make(shapeOfData(args[0]?.value), args, "f32", context, span),
    ),
  ];
  return new Map<string, Value>(words.map((word) => [word.name, word]));
}

/** `(2, 3)` or `2, 3`, or `size=(2, 3)`. */
function shapeIn(args: readonly Argument[]): readonly Size[] | undefined {
  const named = args.find(({ name }) => name === "size" || name === "shape");
  if (named !== undefined) return shapeOf(named.value);
  const [first, ...rest] = args.filter(({ name }) => name === undefined);
  if (first === undefined) return undefined;
  if (itemsOf(first.value) !== undefined) return shapeOf(first.value);
  const sizes = [first, ...rest].map(({ value }) => sizeOf(value));
  return sizes.every((size) => size !== undefined) ? sizes : undefined;
}

/** The length of `arange(stop)`, `arange(start, stop)`, `arange(start, stop, step)`. */
function countOf(numbers: readonly (Size | undefined)[]): Size {
  const [first = 8, second, third] = numbers;
  if (second === undefined) return first;
  if (typeof first !== "number" || typeof second !== "number") return second;
  const step = typeof third === "number" && third !== 0 ? third : 1;
  return Math.max(0, Math.ceil((second - first) / step));
}

/** The shape of nested lists of numbers. */
function shapeOfData(value: Value | undefined): readonly number[] {
  const items = itemsOf(value);
  return items === undefined ? [] : [items.length, ...shapeOfData(items[0])];
}
