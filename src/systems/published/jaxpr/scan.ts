import { type Body, constant, fresh, type NamedValue, operation, typeText } from "./body.ts";
import { numbersOf } from "./operations.ts";
import type { JaxprEquation, JaxprVariable } from "./parse.ts";

/** Writes the call of a scan's body function. */
type Call = (
  operands: readonly NamedValue[],
  results: readonly JaxprVariable[],
) => readonly NamedValue[];

/**
 * Writes a scan as the loop to which JAX lowers it: a counter, slices of the scanned inputs, slices
 * of the results. `undefined` for a reversed or empty scan.
 */
export function scanned(
  body: Body,
  { parameters, results }: JaxprEquation,
  operands: readonly NamedValue[],
  called: Call,
): readonly NamedValue[] | undefined {
  const number = (key: string) => numbersOf(parameters.get(key))[0] ?? 0;
  const [length, consts, carry] = [number("length"), number("num_consts"), number("num_carry")];
  if (parameters.get("reverse") === "True" || length < 1) return undefined;
  const counter = { name: "", dtype: "i32", shape: [] };
  const zero = constant(body, "0", counter);
  const ys = results.slice(carry);
  const starts = ys.map((type) => {
    const scalar = { ...type, shape: [] };
    const isFloat = /^b?f/u.test(type.dtype);
    const none = constant(body, type.dtype === "bool" ? "False" : isFloat ? "0.0" : "0", scalar);
    return operation(body, "stablehlo.broadcast_in_dim", [none], type, ", dims = []");
  });
  const given = [...operands, zero, ...starts];
  const base = body.next;
  body.next += 1;
  const names = given.map((_, at) => `%it_${base}_${at}`);
  const values = given.map(({ type }, at) => ({ name: names[at] ?? "", type }));
  const types = given.map(({ type }) => typeText(type)).join(", ");
  const pairs = given.map((value, at) => `${names[at]} = ${value.name}`).join(", ");
  body.lines.push(`%w_${base}:${given.length} = stablehlo.while(${pairs}) : ${types}`);
  const at = operands.length;
  const now = values[at] ?? zero;
  body.lines.push("cond {");
  const end = constant(body, String(length), counter);
  const test = fresh(body);
  body.lines.push(
    `${test} = stablehlo.compare LT, ${now.name}, ${end.name}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>`,
  );
  body.lines.push(`stablehlo.return ${test} : tensor<i1>`, "} do {");
  const xs = values.slice(consts + carry, at).map((value) => partAt(body, value, now));
  const inputs = [...values.slice(0, consts + carry), ...xs];
  const made = called(inputs, [
    ...results.slice(0, carry),
    ...ys.map((type) => ({ ...type, shape: type.shape.slice(1) })),
  ]);
  const filled = ys.map((type, place) =>
    fillAt(body, values[at + 1 + place] ?? zero, made[carry + place] ?? zero, { now, type }),
  );
  const step = constant(body, "1", counter);
  const next = operation(body, "stablehlo.add", [now, step], counter);
  const handed = [
    ...values.slice(0, consts),
    ...made.slice(0, carry),
    ...values.slice(consts + carry, at),
    next,
    ...filled,
  ];
  body.lines.push(`stablehlo.return ${handed.map(({ name }) => name).join(", ")} : ${types}`, "}");
  const resultAt = (place: number, type: JaxprVariable) => ({ name: `%w_${base}#${place}`, type });
  return results.map((type, place) =>
    resultAt(place < carry ? consts + place : at + 1 + place - carry, type),
  );
}

function partAt(body: Body, x: NamedValue, now: NamedValue): NamedValue {
  const [, ...rest] = x.type.shape;
  const zeros = rest.map(() => constant(body, "0", now.type));
  const cut = { ...x.type, shape: [1, ...rest] };
  const part = operation(
    body,
    "stablehlo.dynamic_slice",
    [x, now, ...zeros],
    cut,
    `, sizes = [${cut.shape.join(", ")}]`,
  );
  return operation(body, "stablehlo.reshape", [part], { ...x.type, shape: rest });
}

function fillAt(
  body: Body,
  whole: NamedValue,
  part: NamedValue,
  { now, type }: { readonly now: NamedValue; readonly type: JaxprVariable },
): NamedValue {
  const rest = type.shape.slice(1);
  const one = operation(body, "stablehlo.reshape", [part], { ...type, shape: [1, ...rest] });
  const zeros = rest.map(() => constant(body, "0", now.type));
  return operation(body, "stablehlo.dynamic_update_slice", [whole, one, now, ...zeros], type);
}
