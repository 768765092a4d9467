import { fieldOf } from "#core/records";
import type { OpaqueOperators } from "#language/document/bindings";
import {
  hostFunction,
  integer,
  itemsOf,
  namespace,
  none,
  numberOf,
  text,
} from "#language/document/bindings/values";
import type { Argument, ModuleValue, Value } from "#language/python";
import { isOfNumbers, numberArrayCall } from "./number-arrays.ts";
import type { TorchBindings } from "./torch.ts";

/** `numpy` as programs of torch use it: arrays are tensors. */
export function numpyModule(opaque: OpaqueOperators, torch: TorchBindings): ModuleValue {
  return namespace("numpy", (attribute) => numpyName(attribute, opaque, torch));
}

/** `np.ones((2, 3))` and its like make inputs as torch's do. */
function numpyName(name: string, opaque: OpaqueOperators, torch: TorchBindings): Value {
  if (name === "random") {
    return namespace("numpy.random", (each) => numpyName(`random.${each}`, opaque, torch));
  }
  if (name === "newaxis") return none;
  const constant = Object.hasOwn(numpyConstants, name) ? numpyConstants[name] : undefined;
  if (constant !== undefined) return { kind: "float", value: constant };
  const formula = Object.hasOwn(numpyFormulas, name) ? numpyFormulas[name] : undefined;
  const last = name.split(".").at(-1) ?? name;
  const word = torch.creator(`numpy.${name}`) ?? torch.creator(last);
  const program = word ?? numpyFunction(name, opaque, torch);
  const otherwise = isOfNumbers(name) ? inPolicy(name, program, opaque) : program;
  if (formula === undefined) return otherwise;
  return hostFunction(name, (args, context, span) => {
    const numbers = args.map(({ value, name: keyword }) =>
      keyword === undefined ? numberOf(value) : undefined,
    );
    const [x, y = 0] = numbers;
    const isOfNumbers = numbers.length === formula.length && !numbers.includes(undefined);
    if (x === undefined || !isOfNumbers) return context.call(otherwise, args, span);
    const made = formula(x, y);
    const isWhole = name === "power" && args.every(({ value }) => value.kind === "int");
    return isWhole && Number.isInteger(made) ? integer(made) : { kind: "float", value: made };
  });
}

/** The same function, which counts with whole numbers where a policy calls it, as a product always does. */
function inPolicy(name: string, program: Value, opaque: OpaqueOperators): Value {
  return hostFunction(name, (args, context, span) => {
    const counted = opaque.isInPolicy || name === "prod" ? numberArrayCall(name, args) : undefined;
    return counted ?? context.call(program, args, span);
  });
}

/** A function of numpy that one of torch stands for where it is given arrays. */
function numpyFunction(name: string, opaque: OpaqueOperators, torch: TorchBindings): Value {
  if (name === "linspace") return linearNumbers(torch);
  const known = numberType.test(name)
    ? (given: readonly Argument[]) => typed(name, given)
    : undefined;
  const assumed = opaque.assumed(`numpy.${name}`, { known });
  const asTorch = fieldOf(numpyAsTorch, name);
  if (asTorch === undefined) return assumed;
  return hostFunction(name, (args, context, span) => {
    const isOfArrays = args.some(({ value }) => torch.isOfTensors(value));
    const [first, second] = args;
    if (name === "transpose" && isOfArrays && first !== undefined && second === undefined)
      return context.getAttribute(first.value, "T", span);
    const callee = isOfArrays ? torch.module("torch")?.attribute(asTorch, context, span) : assumed;
    const rows = isOfArrays && !joining.has(name) ? itemsOf(first?.value) : undefined;
    if (first !== undefined && rows?.every((each) => torch.isOfTensors(each)) === true) {
      const stack = torch.module("torch")?.attribute("stack", context, span) ?? assumed;
      const whole = { ...first, value: context.call(stack, [first], span) };
      return torch.callPromoting(callee ?? assumed, args.with(0, whole), context, span);
    }
    const usual = name === "meshgrid" && !args.some((each) => each.name === "indexing");
    const given = usual ? [...args, { name: "indexing", value: text("xy"), span }] : args;
    return torch.callPromoting(callee ?? assumed, given, context, span);
  });
}

/** The types of numpy's numbers. */
const numberType =
  /^(?:float(?:16|32|64)|double|single|half|u?int(?:8|16|32|64|c|p)|int_|uint|longlong|bool_?)$/u;

/** `numpy.float32(2)`: a number as Python has it; nothing where it is given another value. */
function typed(name: string, args: readonly Argument[]): Value | undefined {
  const [only, ...others] = args;
  const number = only?.name === undefined ? numberOf(only?.value) : undefined;
  if (number === undefined || others.length > 0) return undefined;
  if (name.startsWith("bool")) return { kind: "bool", value: number !== 0 };
  if (!/int|long/u.test(name)) return { kind: "float", value: number };
  return Number.isFinite(number) ? integer(Math.trunc(number)) : undefined;
}

/** `numpy.linspace`, whose count may be left out: torch's own, which gives a tensor. */
function linearNumbers(torch: TorchBindings): Value {
  return hostFunction("linspace", (args, context, span) => {
    const given = args.map((each) => (each.name === "num" ? { ...each, name: "steps" } : each));
    const isCounted = given[2] !== undefined || given.some(({ name }) => name === "steps");
    const whole = isCounted ? given : [...given, { name: "steps", value: integer(50), span }];
    const callee = torch.module("torch")?.attribute("linspace", context, span);
    return callee === undefined ? none : context.call(callee, whole, span);
  });
}

/** Functions of numpy by those of torch that compute the same. */
const numpyAsTorch: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["einsum", "stack", "meshgrid", "outer", "matmul", "dot", "where", "tile", "sin", "cos"].map(
      (name) => [name, name],
    ),
  ),
  ...Object.fromEntries(
    ["exp", "log", "sqrt", "abs", "sum", "mean", "tanh", "cumsum", "clip", "split"].map((name) => [
      name,
      name,
    ]),
  ),
  ...Object.fromEntries(
    ["argmax", "argmin", "maximum", "minimum", "sign", "prod"].map((name) => [name, name]),
  ),
  ...{ concatenate: "cat", power: "pow", expand_dims: "unsqueeze", hstack: "hstack" },
  ...{
    vstack: "vstack",
    reshape: "reshape",
    transpose: "permute",
    square: "square",
    triu: "triu",
    tril: "tril",
  },
};

/** Functions that take a row of arrays, or arrays one by one. */
const joining: ReadonlySet<string> = new Set([
  ...["stack", "concatenate", "hstack", "vstack", "meshgrid", "einsum", "reshape", "tile"],
]);

const numpyConstants: Readonly<Record<string, number>> = {
  ...{ pi: Math.PI, e: Math.E, inf: Number.POSITIVE_INFINITY, nan: Number.NaN },
};

/** Functions of numpy of one number, or of two. */
const numpyFormulas: Readonly<Record<string, (x: number, y: number) => number>> = {
  ...{ log: Math.log, log2: Math.log2, log10: Math.log10, exp: Math.exp, sqrt: Math.sqrt },
  ...{ sin: Math.sin, cos: Math.cos, abs: Math.abs, floor: Math.floor, ceil: Math.ceil },
  power: (x, y) => x ** y,
};
