import type { Span } from "#core/diagnostics";
import { type TensorBindings, writtenShapeOf } from "#language/document/bindings";
import { typeSaid } from "#language/document/bindings/types";
import {
  bindArguments,
  hostFunction,
  itemsOf,
  numbersIn,
} from "#language/document/bindings/values";
import type { Constant, Recorder, Size } from "#language/document/trace";
import type { Argument, Context, Value } from "#language/python";

/** Functions of `numpy.random` by their parameters; each has a `size`, or takes the sizes one by one. */
const drawn: Readonly<Record<string, readonly string[]>> = {
  uniform: ["low", "high", "size"],
  normal: ["loc", "scale", "size"],
  standard_normal: ["size"],
  random: ["size"],
  random_sample: ["size"],
  randint: ["low", "high", "size", "dtype"],
  choice: ["a", "size", "replace", "p"],
  exponential: ["scale", "size"],
  gamma: ["shape", "scale", "size"],
};

const double = { dtype: "f64", dtypeText: "float64" } as const;
const whole = { dtype: "i64", dtypeText: "int64" } as const;
const truth = { dtype: "bool", dtypeText: "bool" } as const;

/** The data type of numbers: the widest kind among them. */
function typeOfNumbers(value: Value | undefined): ElementType {
  const items = itemsOf(value);
  if (items === undefined)
    return value?.kind === "int" ? whole : value?.kind === "bool" ? truth : double;
  const types = items.map(typeOfNumbers);
  if (types.length === 0 || types.includes(double)) return double;
  return types.includes(whole) ? whole : truth;
}

type ElementType = ReturnType<typeof typeSaid> & {};

/** Whether a random function draws integers. */
function ofIntegers(name: string, [first]: readonly Argument[]): boolean {
  return name === "random.randint" || (name === "random.choice" && first?.value.kind === "int");
}

/**
 * NumPy functions, by dotted name, that make an array whose shape follows from the arguments; the
 * array is an input of the graph.
 */
export function numpyBindings(
  recorder: Recorder,
  tensors: TensorBindings,
): ReadonlyMap<string, Value> {
  const word = (name: string, shapeIn: (args: readonly Argument[]) => Shape) =>
    hostFunction(name, (args, context, span) =>
      made(shapeIn(args), context, span, ofIntegers(name, args) ? whole : double),
    );
  const made = (
    shape: Shape,
    context: Context,
    span: Span,
    type: ElementType,
    constant?: Constant,
  ) => {
    const isGiven = shape?.every((size) => typeof size === "number") === true;
    const shapeStatus = isGiven ? "set" : "assumed";
    const known = constant === undefined ? {} : { constant };
    const spec = { role: "input", shape, shapeStatus, ...type, ...known, span } as const;
    return tensors.object(recorder.leaf(spec, context));
  };
  const random = Object.entries(drawn).map(([name, parameters]) =>
    word(`random.${name}`, (args) => {
      const size = bindArguments(parameters, args).bound.get("size");
      return size === undefined ? [] : writtenShapeOf(size.value);
    }),
  );
  const arrays = ["array", "asarray"].map((name) =>
    hostFunction(name, (args, context, span) => {
      const [data] = args;
      if (data !== undefined && tensors.tensorOf(data.value) !== undefined) return data.value;
      const said = typeSaid(args.find((each) => each.name === "dtype")?.value ?? args[1]?.value);
      const type = said ?? typeOfNumbers(data?.value);
      return made(dataShape(data?.value), context, span, type, dataIn(data?.value));
    }),
  );
  const files = ["memmap", "fromfile", "load", "loadtxt"].map((name) =>
    hostFunction(name, (args, context, span) => {
      const type = typeSaid(args.find((each) => each.name === "dtype")?.value);
      const said = { dtype: "f32", dtypeText: "f32", ...type } as const;
      return tensors.object(
        recorder.leaf(
          {
            role: "input",
            shape: undefined,
            shapeStatus: "assumed",
            isUnknown: true,
            ...said,
            span,
          },
          context,
        ),
      );
    }),
  );
  return new Map<string, Value>(
    [...random, ...arrays, ...files].map((each) => [`numpy.${each.name}`, each] as const),
  );
}

/** Nested lists of numbers, row by row; of very many none. */
function dataIn(value: Value | undefined): Constant | undefined {
  const values = numbersIn(value);
  const isFew = values.length > 0 && values.length <= mostNumbers;
  return isFew && values.every((number) => number !== undefined)
    ? { kind: "data", values }
    : undefined;
}

const mostNumbers = 4096;

type Shape = readonly Size[] | undefined;

/** The shape of nested lists; `undefined` for a value that is no number or list. */
function dataShape(value: Value | undefined): Shape {
  const items = itemsOf(value);
  if (items !== undefined) return [items.length, ...(dataShape(items[0]) ?? [])];
  return value?.kind === "int" || value?.kind === "float" || value?.kind === "bool"
    ? []
    : undefined;
}
