import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import type { OpaqueOperators } from "#language/document/bindings";
import { hostFunction, integer, none, numberOf } from "#language/document/bindings/values";
import type { Argument, Context, ModuleValue, Value } from "#language/python";
import type { ArrayWords } from "./array-words.ts";
import { isOfNumbers, numberArrayCall } from "./number-arrays.ts";
import { numberOfList, numpyNumber } from "./numpy-numbers.ts";
import type { TorchBindings } from "./torch.ts";

/** `numpy` as programs of torch use it: arrays are tensors that keep NumPy's own forms. */
export function numpyModule(
  opaque: OpaqueOperators,
  torch: TorchBindings,
  arrays: ArrayWords,
): ModuleValue {
  return {
    kind: "module",
    name: "numpy",
    attribute: (attribute, context) => numpyName(attribute, { opaque, torch, arrays }, context),
  };
}

interface NumpyParts {
  readonly opaque: OpaqueOperators;
  readonly torch: TorchBindings;
  readonly arrays: ArrayWords;
}

/** `np.ones((2, 3))` and its like make inputs as torch's do. */
function numpyName(name: string, parts: NumpyParts, context: Context): Value {
  const { arrays } = parts;
  if (name === "random" || name === "linalg") {
    return {
      kind: "module",
      name: `numpy.${name}`,
      attribute: (each, inner) => numpyName(`${name}.${each}`, parts, inner),
    };
  }
  if (name === "newaxis") return none;
  if (name === "ndarray") return arrays.type;
  const constant = Object.hasOwn(numpyConstants, name) ? numpyConstants[name] : undefined;
  if (constant !== undefined) return { kind: "float", value: constant };
  if (name === "dtype") return arrays.typeWord(numpyFunction(name, parts.opaque));
  const otherwise = functionNamed(name, parts, context);
  const formula = Object.hasOwn(numpyFormulas, name) ? numpyFormulas[name] : undefined;
  if (formula === undefined) return otherwise;
  return hostFunction(name, (args, inner, span) => {
    const numbers = args.map(({ value, name: keyword }) =>
      keyword === undefined ? numberOf(value) : undefined,
    );
    const [x, y = 0] = numbers;
    const isOfNumbers = numbers.length === formula.length && !numbers.includes(undefined);
    if (x === undefined || !isOfNumbers) return inner.call(otherwise, args, span);
    const made = formula(x, y);
    const isWhole = name === "power" && args.every(({ value }) => value.kind === "int");
    return numpyNumber(
      isWhole && Number.isInteger(made) ? integer(made) : { kind: "float", value: made },
    );
  });
}

/** A function of numpy: one of arrays, one that makes an array, or one that nobody knows. */
function functionNamed(name: string, { opaque, torch, arrays }: NumpyParts, context: Context) {
  const last = name.split(".").at(-1) ?? name;
  const word = torch.creator(`numpy.${name}`) ?? torch.creator(last);
  const made = word && (opened.has(name) ? word : arrays.maker(name, word));
  const other =
    made ??
    (name === "linspace" || name === "eye" || name === "identity"
      ? arrays.maker(name, ofTorch(name, torch))
      : numpyFunction(name, opaque));
  const program = arrays.function(name, context, ofNumbers(name, other)) ?? other;
  return isOfNumbers(name) ? inPolicy(name, program, opaque) : program;
}

/** The same function, which gives a number of a list of numbers. */
function ofNumbers(name: string, other: Value): Value {
  return hostFunction(name, (args, context, span) => {
    const known = args.length === 1 ? numberOfList(name, args[0]?.value) : undefined;
    return known ?? context.call(other, args, span);
  });
}

/** Functions that read a file: the result is not always an array. */
const opened: ReadonlySet<string> = new Set(["load", "memmap"]);

/** The same function, which counts with whole numbers where a policy calls it, as a product always does. */
function inPolicy(name: string, program: Value, opaque: OpaqueOperators): Value {
  return hostFunction(name, (args, context, span) => {
    const counted = opaque.isInPolicy || name === "prod" ? numberArrayCall(name, args) : undefined;
    return counted ?? context.call(program, args, span);
  });
}

/** A function of numpy that is not given arrays. */
function numpyFunction(name: string, opaque: OpaqueOperators): Value {
  const known = numberType.test(name)
    ? (given: readonly Argument[]) => typed(name, given)
    : undefined;
  return opaque.assumed(`numpy.${name}`, { known });
}

/** The types of numpy's numbers. */
const numberType =
  /^(?:float(?:16|32|64)|double|single|half|u?int(?:8|16|32|64|c|p)|int_|u?(?:byte|short|long|longlong)|uint|bool_?)$/u;

/** `numpy.float32(2)`: a number as Python has it; nothing where it is given another value. */
function typed(name: string, args: readonly Argument[]): Value | undefined {
  const [only, ...others] = args;
  const number = only?.name === undefined ? numberOf(only?.value) : undefined;
  if (number === undefined || others.length > 0) return undefined;
  if (name.startsWith("bool")) return { kind: "bool", value: number !== 0 };
  if (!/int|long/u.test(name)) return numpyNumber({ kind: "float", value: number });
  return Number.isFinite(number) ? numpyNumber(integer(Math.trunc(number))) : undefined;
}

/** A function of torch that makes the same; `numpy.linspace` may leave out its count. */
function ofTorch(name: string, torch: TorchBindings): Value {
  return hostFunction(name, (args, context, span) => {
    const given = args.flatMap((each) => asTorchNames(each));
    const isCounted = given[2] !== undefined || given.some((each) => each.name === "steps");
    const isOpen = name === "linspace" && !isCounted;
    const whole = isOpen ? [...given, { name: "steps", value: integer(50), span }] : given;
    const called = name === "linspace" ? "linspace" : "eye";
    const callee = torch.module("torch")?.attribute(called, context, span);
    return callee === undefined ? none : context.call(callee, whole, nowhere);
  });
}

/** An argument as torch names it; what no shape depends on is left out. */
function asTorchNames(argument: Argument): readonly Argument[] {
  const { name } = argument;
  if (name === undefined) return [argument];
  const usual = fieldOf(
    { num: "steps", stop: "end", start: "start", N: "n", M: "m", dtype: "dtype" },
    name,
  );
  return usual === undefined ? [] : [{ ...argument, name: usual }];
}

const nowhere: Span = { from: -1, to: -1 };

const numpyConstants: Readonly<Record<string, number>> = {
  ...{ pi: Math.PI, e: Math.E, inf: Number.POSITIVE_INFINITY, nan: Number.NaN },
};

/** Functions of numpy of one number, or of two. */
const numpyFormulas: Readonly<Record<string, (x: number, y: number) => number>> = {
  ...{ log: Math.log, log2: Math.log2, log10: Math.log10, exp: Math.exp, sqrt: Math.sqrt },
  ...{ sin: Math.sin, cos: Math.cos, abs: Math.abs, floor: Math.floor, ceil: Math.ceil },
  power: (x, y) => x ** y,
};
