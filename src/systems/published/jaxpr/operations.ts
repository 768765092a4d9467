// Lines of StableHLO for single equations of a jaxpr.

import {
  type Body,
  constant,
  fresh,
  type NamedValue,
  operation,
  spread,
  typeText,
} from "./body.ts";
import type { JaxprEquation, JaxprVariable } from "./parse.ts";

/** The integers in a text. */
export function numbersOf(text: string | undefined): readonly number[] {
  return [...(text ?? "").matchAll(/-?\d+/gu)].map(([each]) => Number(each));
}

/** Integers as a list in StableHLO text. */
export function listText(numbers: readonly number[]): string {
  return `[${numbers.join(", ")}]`;
}

/** `stablehlo.compare` of two values; the first operand's data type selects FLOAT or SIGNED. */
export function compared(
  body: Body,
  comparison: string,
  operands: readonly NamedValue[],
  result: JaxprVariable,
): NamedValue {
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
  return { name, type: result };
}

/** Conversion to bool: comparison with 0 by NE. */
export function truth(body: Body, x: NamedValue, result: JaxprVariable): NamedValue {
  const isFloat = /^b?f/u.test(x.type.dtype);
  const scalar = { name: "", dtype: x.type.dtype, shape: [] };
  const zero = spread(body, constant(body, isFloat ? "0.0" : "0", scalar), x.type);
  const name = fresh(body);
  body.lines.push(
    `${name} = stablehlo.compare NE, ${x.name}, ${zero.name}, ${isFloat ? "FLOAT" : "SIGNED"} : (${typeText(x.type)}, ${typeText(x.type)}) -> ${typeText(result)}`,
  );
  return { name, type: result };
}

/** `stablehlo.iota`: counts along a dim. */
export function iota(
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

/** `stablehlo.reduce` over some dims, with an operator and its initial value. */
export function reduction(
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

/**
 * An integer power: repeated products for exponents 2 to 8, else `stablehlo.power` with a float
 * exponent.
 */
export function power(
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

/** `stablehlo.slice`: a strided range per dim. */
export function sliced(
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

/** `stablehlo.select`. `select_n which, a, b` picks b where `which` is true, so a and b swap. */
export function selected(
  body: Body,
  [which, a, b]: readonly [NamedValue, NamedValue, NamedValue],
  result: JaxprVariable,
) {
  const given = [which, b, a].map((value) => spread(body, value, result));
  return [operation(body, "stablehlo.select", given, result)];
}

/** `stablehlo.dot_general`: a product over contracted dims, per element of the batch dims. */
export function product(
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

/** `stablehlo.gather`: slices of a value at given start indices. */
export function gathered(
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
