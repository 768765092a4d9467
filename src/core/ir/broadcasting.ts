import { fieldOf } from "#core/records";
import { apply, type Expr, number, pointwise, read } from "./body/body.ts";
import {
  add,
  div,
  equal,
  less,
  lessEqual,
  maximum,
  minimum,
  mul,
  select,
  sub,
} from "./body/expressions.ts";
import { type BoundCall, broadcastAnnotation, numberOf } from "./call.ts";
import { define } from "./define.ts";
import type { Domain, EntrySpec, LibraryEntry } from "./entry.ts";

type Extra = Partial<Pick<EntrySpec, "linear" | "gradient" | "aliases" | "domains" | "sample">>;

/** An operator of several operands with broadcasting; an operand may also be a plain number. */
function broadcasting(
  name: string,
  parameters: readonly string[],
  formula: (...operands: readonly [Expr, Expr, Expr]) => Expr,
  extra: Extra = {},
): LibraryEntry {
  const operand = (call: BoundCall, at: number) => {
    const named = parameters[at] ?? "";
    // A truth among numbers is 1 or 0, as in Python.
    const truth = fieldOf(call.attributes, named) === true ? 1 : 0;
    return call.inputs[at] === undefined ? number(numberOf(call, named, truth)) : read(at);
  };
  return define({
    name,
    parameters,
    mayBeNumbers: parameters,
    annotate: broadcastAnnotation,
    body: (call) => pointwise(formula(operand(call, 0), operand(call, 1), operand(call, 2))),
    gradient: "derived",
    sample: (n) => ({
      inputs: parameters.map((_, at) => (at === 1 ? [1, n("b")] : [n("a"), n("b")])),
      attributes: {},
    }),
    ...extra,
  });
}

/** The value rounded towards 0. */
function truncated(value: Expr): Expr {
  return mul(apply("sign", value), apply("floor", apply("abs", value)));
}

const none = { gradient: "none" } as const;
const positive: Domain = { kind: "positive" };
const flag: Domain = { kind: "flag" };

export const broadcastingOperators: readonly LibraryEntry[] = [
  broadcasting("add", ["x", "y"], (x, y) => add(x, y), { linear: [[0, 1]] }),
  broadcasting("sub", ["x", "y"], sub, { linear: [[0, 1]] }),
  broadcasting("mul", ["x", "y"], (x, y) => mul(x, y), { linear: [[0], [1]] }),
  broadcasting("div", ["x", "y"], div, { linear: [[0]], domains: [undefined, positive] }),
  broadcasting("pow", ["x", "y"], (x, y) => apply("pow", x, y), { domains: [positive] }),
  broadcasting("maximum", ["x", "y"], maximum),
  broadcasting("minimum", ["x", "y"], minimum),
  broadcasting("less", ["x", "y"], less, { ...none, aliases: ["lt"] }),
  broadcasting("less_equal", ["x", "y"], lessEqual, { ...none, aliases: ["le"] }),
  broadcasting("greater", ["x", "y"], (x, y) => less(y, x), { ...none, aliases: ["gt"] }),
  broadcasting("greater_equal", ["x", "y"], (x, y) => lessEqual(y, x), {
    ...none,
    aliases: ["ge"],
  }),
  broadcasting("equal", ["x", "y"], equal, { ...none, aliases: ["eq"] }),
  broadcasting("not_equal", ["x", "y"], (x, y) => sub(1, equal(x, y)), {
    ...none,
    aliases: ["ne"],
  }),
  broadcasting("logical_and", ["x", "y"], (x, y) => select(x, select(y, 1, 0), 0), none),
  broadcasting("logical_or", ["x", "y"], (x, y) => select(x, 1, select(y, 1, 0)), none),
  broadcasting(
    "logical_xor",
    ["x", "y"],
    (x, y) => select(x, select(y, 0, 1), select(y, 1, 0)),
    none,
  ),
  broadcasting("bitwise_and", ["x", "y"], (x, y) => apply("bit-and", x, y), none),
  broadcasting("bitwise_or", ["x", "y"], (x, y) => apply("bit-or", x, y), none),
  broadcasting("bitwise_xor", ["x", "y"], (x, y) => apply("bit-xor", x, y), none),
  broadcasting("swiglu", ["x", "gate"], (x, gate) => mul(x, gate, apply("sigmoid", gate)), {
    linear: [[0]],
  }),
  broadcasting("where", ["condition", "x", "y"], select, {
    linear: [[1, 2]],
    domains: [flag],
  }),
  broadcasting("masked_fill", ["x", "mask", "value"], (x, mask, value) => select(mask, value, x), {
    domains: [undefined, flag],
    sample: (n) => ({
      inputs: [[n("a"), n("b")], [1, n("b")], undefined],
      attributes: { value: -5 },
    }),
  }),
  broadcasting("remainder", ["x", "y"], (x, y) => sub(x, mul(y, apply("floor", div(x, y)))), {
    domains: [undefined, positive],
  }),
  broadcasting("fmod", ["x", "y"], (x, y) => sub(x, mul(y, truncated(div(x, y)))), {
    domains: [undefined, positive],
  }),
  broadcasting("hypot", ["x", "y"], (x, y) => apply("sqrt", add(mul(x, x), mul(y, y)))),
  broadcasting("logaddexp", ["x", "y"], (x, y) => {
    const apart = apply("exp", minimum(sub(y, x), sub(x, y)));
    return add(maximum(x, y), apply("log", add(1, apart)));
  }),
  broadcasting("lerp", ["x", "y", "weight"], (x, y, weight) => add(x, mul(weight, sub(y, x))), {
    linear: [[0, 1]],
  }),
];
