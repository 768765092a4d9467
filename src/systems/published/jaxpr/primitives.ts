import { type Body, type NamedValue, operation, spread } from "./body.ts";
import { constrained } from "./constraint.ts";
import {
  compared,
  gathered,
  iota,
  listText,
  numbersOf,
  power,
  product,
  reduction,
  selected,
  sliced,
  truth,
} from "./operations.ts";
import type { JaxprEquation, JaxprVariable } from "./parse.ts";

const elementwise: Readonly<Record<string, string>> = {
  ...{
    add: "add",
    add_any: "add",
    sub: "subtract",
    mul: "multiply",
    div: "divide",
    max: "maximum",
    min: "minimum",
  },
  ...{
    pow: "power",
    rem: "remainder",
    and: "and",
    or: "or",
    xor: "xor",
    not: "not",
    neg: "negate",
  },
  ...{ exp: "exponential", log: "log", log1p: "log_plus_one", expm1: "exponential_minus_one" },
  ...{
    tanh: "tanh",
    logistic: "logistic",
    sin: "sine",
    cos: "cosine",
    sqrt: "sqrt",
    rsqrt: "rsqrt",
  },
  ...{
    abs: "abs",
    sign: "sign",
    floor: "floor",
    ceil: "ceil",
    is_finite: "is_finite",
    atan2: "atan2",
  },
};

const comparisons: Readonly<Record<string, string>> = {
  eq: "EQ",
  ne: "NE",
  lt: "LT",
  le: "LE",
  gt: "GT",
  ge: "GE",
};

const same = new Set([
  "stop_gradient",
  "copy",
  "copy_p",
  "pvary",
  "optimization_barrier",
  "name",
  "mesh_cast",
]);

const reductions: Readonly<Record<string, readonly [string, string]>> = {
  ...{ reduce_sum: ["add", "0"], reduce_prod: ["multiply", "1"], reduce_max: ["maximum", "-inf"] },
  ...{ reduce_min: ["minimum", "inf"], reduce_and: ["and", "True"], reduce_or: ["or", "False"] },
};

/**
 * Translates an equation into one StableHLO operation or a few; `undefined` if it has no
 * translation here.
 */
export function simple(
  body: Body,
  { primitive, parameters }: JaxprEquation,
  operands: readonly NamedValue[],
  result: JaxprVariable,
): readonly NamedValue[] | undefined {
  const [x] = operands;
  if (x === undefined && primitive !== "iota") return undefined;
  const word = elementwise[primitive];
  if (word !== undefined) {
    const given = operands.map((value) => spread(body, value, result));
    return [operation(body, `stablehlo.${word}`, given, result)];
  }
  const comparison = comparisons[primitive];
  if (comparison !== undefined) return [compared(body, comparison, operands, result)];
  if (x === undefined) return [iota(body, result, parameters)];
  if (same.has(primitive)) return operands;
  const reduced = reductions[primitive];
  const axes = listText(numbersOf(parameters.get("axes")));
  if (reduced !== undefined) return [reduction(body, x, result, { reduced, axes })];
  const given = { primitive, parameters, operands };
  return rearranged(body, given, result) ?? computed(body, given, result);
}

interface Given {
  readonly primitive: string;
  readonly parameters: JaxprEquation["parameters"];
  readonly operands: readonly NamedValue[];
}

/** Equations that only move elements of their operands. */
function rearranged(
  body: Body,
  { primitive, parameters, operands }: Given,
  result: JaxprVariable,
): readonly NamedValue[] | undefined {
  const [x] = operands;
  if (x === undefined) return undefined;
  const numbers = (key: string) => numbersOf(parameters.get(key));
  const one = (word: string, given: readonly NamedValue[], more = "") => [
    operation(body, `stablehlo.${word}`, given, result, more),
  ];
  const along = (word: string, key: string) => one(word, [x], `, dims = ${listText(numbers(key))}`);
  switch (primitive) {
    case "reshape": {
      const order = numbers("dimensions");
      if (order.length === 0) return one("reshape", [x]);
      const turned = { ...x.type, shape: order.map((dim) => x.type.shape[dim] ?? 1) };
      const dims = `, dims = ${listText(order)}`;
      return one("reshape", [operation(body, "stablehlo.transpose", [x], turned, dims)]);
    }
    case "squeeze":
    case "expand_dims":
      return one("reshape", [x]);
    case "broadcast_in_dim":
      return along("broadcast_in_dim", "broadcast_dimensions");
    case "transpose":
      return along("transpose", "permutation");
    case "rev":
      return along("reverse", "dimensions");
    case "concatenate":
      return one("concatenate", operands, `, dim = ${numbers("dimension")[0] ?? 0}`);
    case "slice":
      return [sliced(body, x, result, parameters)];
    case "dynamic_slice":
      return one("dynamic_slice", operands, `, sizes = ${listText(numbers("slice_sizes"))}`);
    case "dynamic_update_slice":
      return one("dynamic_update_slice", operands);
    default:
      return undefined;
  }
}

/** Equations that compute elements, gather them or constrain their sharding. */
function computed(
  body: Body,
  { primitive, parameters, operands }: Given,
  result: JaxprVariable,
): readonly NamedValue[] | undefined {
  const [x, y, z] = operands;
  if (x === undefined) return undefined;
  switch (primitive) {
    case "integer_pow":
      return power(body, x, result, numbersOf(parameters.get("y"))[0]);
    case "square":
      return [operation(body, "stablehlo.multiply", [x, x], result)];
    case "convert_element_type":
      return result.dtype === "bool" && x.type.dtype !== "bool"
        ? [truth(body, x, result)]
        : [operation(body, "stablehlo.convert", [x], result)];
    case "reduce_precision": {
      const bits = [parameters.get("exponent_bits"), parameters.get("mantissa_bits")].join();
      return bits === precisions[x.type.dtype] ? [x] : undefined;
    }
    case "select_n":
      return y === undefined || z === undefined || operands.length !== 3
        ? undefined
        : selected(body, [x, y, z], result);
    case "dot_general":
      return y && [product(body, [x, y], result, parameters)];
    case "gather":
      // A `fill_value` for out-of-range indices has no StableHLO gather.
      return y && /^(?:None|nan)$/u.test(parameters.get("fill_value") ?? "None")
        ? [gathered(body, [x, y], result, parameters)]
        : undefined;
    case "sharding_constraint":
      return constrained(body, x, result, parameters);
    default:
      return undefined;
  }
}

/** Exponent and mantissa bits of each float type. */
const precisions: Readonly<Record<string, string>> = {
  ...{ f64: "11,52", f32: "8,23", bf16: "8,7", f16: "5,10" },
};
