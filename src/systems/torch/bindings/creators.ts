import type { Span } from "#core/diagnostics";
import type { DType } from "#core/ir";
import {
  assumedOf,
  noteNumbers,
  requireKeywords,
  saySizeOfData,
  sizeOf,
  type TensorBindings,
  writtenShapeOf,
} from "#language/document/bindings";
import { typeSaid } from "#language/document/bindings/types";
import {
  hostFunction,
  itemsOf,
  numberOf,
  numbersIn,
  text,
} from "#language/document/bindings/values";
import { type Constant, freshSize, type Recorder, type Size } from "#language/document/trace";
import type { Argument, Context, HostFunction, Value } from "#language/python";
import { keywordsOf } from "./accepted-keywords.ts";
import { numpyBindings } from "./numpy-bindings.ts";
import { defaultType, typeOfData, typeOfNumber } from "./torch-types.ts";

const filled = ["randn", "rand", "zeros", "ones", "empty"];
const like = ["randn_like", "rand_like", "zeros_like", "ones_like", "empty_like", "full_like"];

/** Makes the input of a shape that a call says. */
type Make = (
  shape: readonly Size[] | undefined,
  args: readonly Argument[],
  dtype: DType | undefined,
  context: Context,
  span: Span,
  constant?: Constant,
  sizes?: readonly Argument[],
) => Value;

function maker(recorder: Recorder, tensors: TensorBindings): Make {
  return (shape, args, dtype, context, span, constant, sizes = []) => {
    const isOfData = sizes.some(({ value }) =>
      [value, ...(itemsOf(value) ?? [])].some((each) => isValueOf(tensors, each)),
    );
    if (isOfData) saySizeOfData(context, span);
    const isUnknown =
      isOfData ||
      args.some(({ value }) =>
        [value, ...(itemsOf(value) ?? [])].some((each) => followsUnknown(tensors, each)),
      );
    const type =
      typeSaid(args.find(({ name }) => name === "dtype")?.value) ??
      typeSaid(dtype && text(dtype === "i64" ? "int64" : dtype)) ??
      defaultType(tensors.types);
    const isGiven = shape?.every((size) => typeof size === "number") === true;
    const tensor = recorder.leaf(
      {
        role: "input",
        shape,
        shapeStatus: isGiven ? "set" : "assumed",
        ...type,
        ...(constant !== undefined && { constant }),
        isUnknown,
        span,
      },
      context,
    );
    noteNumbers(
      recorder.trace,
      tensor,
      new Map([...args.entries()].map(([at, each]) => [`${at}`, each])),
    );
    return tensors.object(tensor);
  };
}

/** A tensor of unknown shape; its data type is unknown too unless the call gives one. */
function unknownTensor(
  recorder: Recorder,
  tensors: TensorBindings,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const said = typeSaid(args.find(({ name }) => name === "dtype")?.value);
  const type = said ?? { dtype: "f32", dtypeText: "f32" };
  const spec = { role: "input", shapeStatus: "assumed", ...type } as const;
  const open = { shape: undefined, isUnknown: true, isTypeAssumed: said === undefined };
  return tensors.object(recorder.leaf({ ...spec, ...open, span }, context));
}

/** `zeros` and its like; a number that `rand` draws is noted, since a text may decide by it. */
function filledWord(name: string, make: Make, tensors: TensorBindings): HostFunction {
  return hostFunction(name, (args, context, span) => {
    const sizes = sizesAmong(args);
    const made = make(shapeIn(args), args, undefined, context, span, fillOf(name), sizes);
    const tensor = tensors.tensorOf(made);
    if (name === "rand" && tensor !== undefined) tensors.draws.add(tensor);
    return made;
  });
}

/** Functions that make a tensor out of a shape: to the graph it is an input. */
export function creators(recorder: Recorder, tensors: TensorBindings): ReadonlyMap<string, Value> {
  const make = maker(recorder, tensors);
  const words = [
    ...filled.map((name) => filledWord(name, make, tensors)),
    ...like.map((name) =>
      hostFunction(name, (args, context, span) => {
        const source = tensors.tensorOf(args[0]?.value);
        const fill = name === "full_like" ? filling(args) : fillOf(name.replace("_like", ""));
        return make(source?.shape, args, source?.dtype, context, span, fill);
      }),
    ),
    hostFunction("full", (args, context, span) =>
      make(
        shapeIn(args.slice(0, 1)),
        args,
        typeOfNumber(tensors, fillValue(args)),
        context,
        span,
        filling(args),
        sizesAmong(args.slice(0, 1)),
      ),
    ),
    hostFunction("randint", (args, context, span) => {
      const shape = args.find(({ name, value }) => name === "size" || itemsOf(value) !== undefined);
      return make(shape && writtenShapeOf(shape.value), args, "i64", context, span);
    }),
    hostFunction("arange", (args, context, span) => {
      const numbers = boundsOf(args);
      const count = countOf(numbers);
      return make(
        [count ?? freshSize()],
        args,
        boundsAmong(args).some(({ value }) => value.kind === "float") ? undefined : "i64",
        context,
        span,
        rowOf(numbers),
        boundsAmong(args),
      );
    }),
    hostFunction("tensor", (args, context, span) => {
      const data = args[0]?.value;
      const open = assumedOf(data);
      if (open !== undefined) {
        tensors.sayUnsaid(open, context, span);
        return unknownTensor(recorder, tensors, args, context, span);
      }
      const source = tensors.tensorOf(data);
      if (source?.isUnknown === true) return unknownTensor(recorder, tensors, args, context, span);
      const shape = source === undefined ? shapeOfData(tensors, data) : source.shape;
      const type = source?.dtype ?? typeOfData(tensors, data);
      return make(shape, args, type, context, span, dataIn(data));
    }),
  ];
  const own = words.map((word) => [word.name, withKeywords(word)] as const);
  return new Map<string, Value>([...own, ...numpyBindings(recorder, tensors)]);
}

/** The same function, which refuses arguments that torch's own does not take. */
function withKeywords({ name, call }: HostFunction): HostFunction {
  return hostFunction(name, (args, context, span) => {
    requireKeywords(name, { parameters: ["shape"] }, keywordsOf(name), args, context);
    return call(args, context, span);
  });
}

/** Whether a value is a tensor without a known shape, or derived from one. */
function followsUnknown(tensors: TensorBindings, value: Value): boolean {
  return assumedOf(value)?.isOfUnknown === true || tensors.tensorOf(value)?.isUnknown === true;
}

/** Whether a value is a tensor with a known shape, so that its elements are meant. */
function isValueOf(tensors: TensorBindings, value: Value): boolean {
  const tensor = tensors.tensorOf(value);
  return tensor !== undefined && tensor.isUnknown !== true;
}

/** The arguments that say a shape. */
function sizesAmong(args: readonly Argument[]): readonly Argument[] {
  return args.filter(({ name }) => name === undefined || name === "size" || name === "shape");
}

/** The arguments that say how long a row is. */
function boundsAmong(args: readonly Argument[]): readonly Argument[] {
  const names = ["start", "end", "stop", "step"];
  return args.filter(({ name }) => name === undefined || names.includes(name));
}

/** `(2, 3)` or `2, 3`, or `size=(2, 3)`. */
function shapeIn(args: readonly Argument[]): readonly Size[] | undefined {
  const named = args.find(({ name }) => name === "size" || name === "shape");
  if (named !== undefined) return writtenShapeOf(named.value);
  const [first, ...rest] = args.filter(({ name }) => name === undefined);
  if (first === undefined) return undefined;
  if (itemsOf(first.value) !== undefined) return writtenShapeOf(first.value);
  const sizes = [first, ...rest].map(({ value }) => sizeOf(value));
  return sizes.every((size) => size !== undefined) ? sizes : undefined;
}

/** Start, stop and step of `arange` as written in a row, by position or by name. */
function boundsOf(args: readonly Argument[]): readonly (Size | undefined)[] {
  const row = args.filter(({ name }) => name === undefined).map(({ value }) => sizeIn(value));
  const named = (...names: readonly string[]) =>
    sizeIn(args.find(({ name }) => name !== undefined && names.includes(name))?.value);
  const [start, stop, step] = [named("start"), named("end", "stop"), named("step")];
  if (stop === undefined) return step === undefined ? row : [row[0] ?? 0, row[1], step];
  return [row[0] ?? start ?? 0, stop, ...(step === undefined ? [] : [step])];
}

/** A size, or a number with a fraction, which `arange` takes too. */
function sizeIn(value: Value | undefined): Size | undefined {
  if (value === undefined) return undefined;
  return value.kind === "float" ? value.value : sizeOf(value);
}

/** The length of `arange(stop)`, `arange(start, stop)`, `arange(start, stop, step)`. */
function countOf(numbers: readonly (Size | undefined)[]): Size | undefined {
  const [first, second, third] = numbers;
  if (second === undefined) return typeof first === "number" ? Math.ceil(first) : first;
  if (typeof first !== "number" || typeof second !== "number") return second;
  const step = typeof third === "number" && third !== 0 ? third : 1;
  return Math.max(0, Math.ceil((second - first) / step));
}

/** The shape of nested lists of numbers, or of arrays. */
function shapeOfData(tensors: TensorBindings, value: Value | undefined): readonly Size[] {
  const items = itemsOf(value);
  if (items === undefined) return tensors.tensorOf(value)?.shape ?? [];
  return [items.length, ...shapeOfData(tensors, items[0])];
}

function fillOf(name: string): Constant | undefined {
  if (name === "zeros") return { kind: "fill", value: 0 };
  return name === "ones" ? { kind: "fill", value: 1 } : undefined;
}

function fillValue(args: readonly Argument[]): Value | undefined {
  return (args.find(({ name }) => name === "fill_value") ?? args[1])?.value;
}

/** `full(shape, value)`, or `fill_value=value`. */
function filling(args: readonly Argument[]): Constant | undefined {
  const value = numberOf(fillValue(args));
  return value === undefined ? undefined : { kind: "fill", value };
}

function rowOf(numbers: readonly (Size | undefined)[]): Constant | undefined {
  const [first, second, third = 1] = numbers;
  const start = second === undefined ? 0 : first;
  const isKnown = typeof start === "number" && typeof third === "number" && numbers.length > 0;
  return isKnown ? { kind: "row", start, step: third } : undefined;
}

/** Nested lists of numbers, row by row. */
function dataIn(value: Value | undefined): Constant | undefined {
  const values = numbersIn(value);
  return values.every((number) => number !== undefined) ? { kind: "data", values } : undefined;
}
