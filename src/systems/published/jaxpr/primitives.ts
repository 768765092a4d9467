import {
  type Body,
  constant,
  fresh,
  type NamedValue,
  operation,
  spread,
  typeText,
} from "./body.ts";
import { constrained } from "./constraint.ts";
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

/** The whole numbers in a text. */
export function numbersOf(text: string | undefined): readonly number[] {
  return [...(text ?? "").matchAll(/-?\d+/gu)].map(([each]) => Number(each));
}

/** Equations that are one operator, or a few. */
export function simple(
  body: Body,
  { primitive, parameters }: JaxprEquation,
  operands: readonly NamedValue[],
  result: JaxprVariable,
): readonly NamedValue[] | undefined {
  const [x] = operands;
  if (x === undefined && primitive !== "iota") return undefined;
  const list = (key: string) => `[${numbersOf(parameters.get(key)).join(", ")}]`;
  const one = (word: string, given: readonly NamedValue[], more = "") => [
    operation(body, `stablehlo.${word}`, given, result, more),
  ];
  const word = elementwise[primitive];
  if (word !== undefined)
    return one(
      word,
      operands.map((value) => spread(body, value, result)),
    );
  const comparison = comparisons[primitive];
  if (comparison !== undefined) {
    const given = operands.map((value) => spread(body, value, result));
    const [first = ""] = given.map(({ type }) =>
      /^(?:b?f)/u.test(type.dtype) && type.dtype !== "bool" ? "FLOAT" : "SIGNED",
    );
    const names = given.map(({ name }) => name).join(", ");
    const name = fresh(body);
    const signature = given.map(({ type }) => typeText(type)).join(", ");
    body.lines.push(
      `${name} = stablehlo.compare ${comparison}, ${names}, ${first} : (${signature}) -> ${typeText(result)}`,
    );
    return [{ name, type: result }];
  }
  if (x === undefined) return [iota(body, result, parameters)];
  if (same.has(primitive)) return operands;
  const reduced = reductions[primitive];
  if (reduced !== undefined) return [reduction(body, x, result, { reduced, axes: list("axes") })];
  return shaped(body, { primitive, parameters, operands }, result);
}

interface Given {
  readonly primitive: string;
  readonly parameters: JaxprEquation["parameters"];
  readonly operands: readonly NamedValue[];
}

/** Equations that look at shapes. */
function shaped(
  body: Body,
  { primitive, parameters, operands }: Given,
  result: JaxprVariable,
): readonly NamedValue[] | undefined {
  const [x, y, z] = operands;
  if (x === undefined) return undefined;
  const list = (key: string) => `[${numbersOf(parameters.get(key)).join(", ")}]`;
  const one = (word: string, given: readonly NamedValue[], more = "") => [
    operation(body, `stablehlo.${word}`, given, result, more),
  ];
  switch (primitive) {
    case "integer_pow":
      return power(body, x, result, numbersOf(parameters.get("y"))[0]);
    case "square":
      return one("multiply", [x, x]);
    case "convert_element_type":
      return result.dtype === "bool" && x.type.dtype !== "bool"
        ? [truth(body, x, result)]
        : one("convert", [x]);
    case "reduce_precision": {
      const bits = [parameters.get("exponent_bits"), parameters.get("mantissa_bits")].join();
      return bits === precisions[x.type.dtype] ? [x] : undefined;
    }
    case "reshape": {
      const order = numbersOf(parameters.get("dimensions"));
      if (order.length === 0) return one("reshape", [x]);
      const turned = { ...x.type, shape: order.map((dim) => x.type.shape[dim] ?? 1) };
      const dims = `, dims = [${order.join(", ")}]`;
      return one("reshape", [operation(body, "stablehlo.transpose", [x], turned, dims)]);
    }
    case "squeeze":
    case "expand_dims":
      return one("reshape", [x]);
    case "broadcast_in_dim":
      return one("broadcast_in_dim", [x], `, dims = ${list("broadcast_dimensions")}`);
    case "transpose":
      return one("transpose", [x], `, dims = ${list("permutation")}`);
    case "rev":
      return one("reverse", [x], `, dims = ${list("dimensions")}`);
    case "concatenate":
      return one(
        "concatenate",
        operands,
        `, dim = ${numbersOf(parameters.get("dimension"))[0] ?? 0}`,
      );
    case "slice":
      return [sliced(body, x, result, parameters)];
    case "select_n":
      return y === undefined || z === undefined || operands.length !== 3
        ? undefined
        : selected(body, [x, y, z], result);
    case "dot_general":
      return y && [product(body, [x, y], result, parameters)];
    case "gather":
      // What lies outside is a number of its own, which no lookup gives.
      return y && /^(?:None|nan)$/u.test(parameters.get("fill_value") ?? "None")
        ? [gathered(body, [x, y], result, parameters)]
        : undefined;
    case "dynamic_slice":
      return one("dynamic_slice", operands, `, sizes = ${list("slice_sizes")}`);
    case "dynamic_update_slice":
      return one("dynamic_update_slice", operands);
    case "sharding_constraint":
      return constrained(body, x, result, parameters);
    default:
      return undefined;
  }
}

/** Bits of the exponent and of the fraction that a type has. */
const precisions: Readonly<Record<string, string>> = {
  ...{ f64: "11,52", f32: "8,23", bf16: "8,7", f16: "5,10" },
};

/** Whether a number is not 0, which is what a truth is made of. */
function truth(body: Body, x: NamedValue, result: JaxprVariable): NamedValue {
  const isFloat = /^b?f/u.test(x.type.dtype);
  const scalar = { name: "", dtype: x.type.dtype, shape: [] };
  const zero = spread(body, constant(body, isFloat ? "0.0" : "0", scalar), x.type);
  const name = fresh(body);
  body.lines.push(
    `${name} = stablehlo.compare NE, ${x.name}, ${zero.name}, ${isFloat ? "FLOAT" : "SIGNED"} : (${typeText(x.type)}, ${typeText(x.type)}) -> ${typeText(result)}`,
  );
  return { name, type: result };
}

function iota(
  body: Body,
  result: JaxprVariable,
  parameters: JaxprEquation["parameters"],
): NamedValue {
  const name = fresh(body);
  body.lines.push(
    `${name} = stablehlo.iota dim = ${numbersOf(parameters.get("dimension"))[0] ?? 0} : ${typeText(result)}`,
  );
  return { name, type: result };
}

function reduction(
  body: Body,
  x: NamedValue,
  result: JaxprVariable,
  {
    reduced: [word, start],
    axes,
  }: { readonly reduced: readonly [string, string]; readonly axes: string },
): NamedValue {
  const scalar = { name: "", dtype: x.type.dtype, shape: [] };
  const init = constant(
    body,
    /^\d$/u.test(start) && /^b?f/u.test(x.type.dtype) ? `${start}.0` : start,
    scalar,
  );
  const name = fresh(body);
  body.lines.push(
    `${name} = stablehlo.reduce(${x.name} init: ${init.name}) applies stablehlo.${word} across dimensions = ${axes} : (${typeText(x.type)}, ${typeText(scalar)}) -> ${typeText(result)}`,
  );
  return { name, type: result };
}

function power(
  body: Body,
  x: NamedValue,
  result: JaxprVariable,
  exponent = 1,
): readonly NamedValue[] | undefined {
  if (exponent < 2 || exponent > 8) {
    const scalar = { name: "", dtype: x.type.dtype, shape: [] };
    const y = spread(body, constant(body, `${exponent}.0`, scalar), result);
    return [operation(body, "stablehlo.power", [x, y], result)];
  }
  let made = x;
  for (let count = 1; count < exponent; count += 1) {
    made = operation(body, "stablehlo.multiply", [made, x], result);
  }
  return [made];
}

function sliced(
  body: Body,
  x: NamedValue,
  result: JaxprVariable,
  parameters: JaxprEquation["parameters"],
): NamedValue {
  const from = numbersOf(parameters.get("start_indices"));
  const to = numbersOf(parameters.get("limit_indices"));
  const steps = numbersOf(parameters.get("strides"));
  const parts = from.map((start, dim) => {
    const step = steps[dim] ?? 1;
    return `${start}:${to[dim] ?? start}${step === 1 ? "" : `:${step}`}`;
  });
  return operation(body, "stablehlo.slice", [x], result, ` [${parts.join(", ")}]`);
}

/** `select_n which, a, b` is b where `which` is true. */
function selected(
  body: Body,
  [which, a, b]: readonly [NamedValue, NamedValue, NamedValue],
  result: JaxprVariable,
) {
  const given = [which, b, a].map((value) => spread(body, value, result));
  return [operation(body, "stablehlo.select", given, result)];
}

function product(
  body: Body,
  operands: readonly NamedValue[],
  result: JaxprVariable,
  parameters: JaxprEquation["parameters"],
): NamedValue {
  const lists = [...(parameters.get("dimension_numbers") ?? "").matchAll(/\[([\d, ]*)\]/gu)];
  const [a = "", b = "", c = "", d = ""] = lists.map(([, inner = ""]) => `[${inner}]`);
  const batch = c === "[]" ? "" : `, batching_dims = ${c} x ${d}`;
  return operation(
    body,
    "stablehlo.dot_general",
    operands,
    result,
    `${batch}, contracting_dims = ${a} x ${b}`,
  );
}

function gathered(
  body: Body,
  [x, index]: readonly [NamedValue, NamedValue],
  result: JaxprVariable,
  parameters: JaxprEquation["parameters"],
): NamedValue {
  const numbers = parameters.get("dimension_numbers") ?? "";
  const listOf = (key: string) =>
    `[${numbersOf(new RegExp(`${key}=\\(([\\d, ]*)\\)`, "u").exec(numbers)?.[1]).join(", ")}]`;
  const batching = listOf("operand_batching_dims");
  const parts = [
    `offset_dims = ${listOf("offset_dims")}`,
    `collapsed_slice_dims = ${listOf("collapsed_slice_dims")}`,
    ...(batching === "[]"
      ? []
      : [
          `operand_batching_dims = ${batching}`,
          `start_indices_batching_dims = ${listOf("start_indices_batching_dims")}`,
        ]),
    `start_index_map = ${listOf("start_index_map")}`,
    `index_vector_dim = ${index.type.shape.length - 1}`,
  ];
  const sizes = numbersOf(parameters.get("slice_sizes")).join(", ");
  const name = fresh(body);
  body.lines.push(
    `${name} = "stablehlo.gather"(${x.name}, ${index.name}) <{dimension_numbers = #stablehlo.gather<${parts.join(", ")}>, indices_are_sorted = false, slice_sizes = array<i64: ${sizes}>}> : (${typeText(x.type)}, ${typeText(index.type)}) -> ${typeText(result)}`,
  );
  return { name, type: result };
}
