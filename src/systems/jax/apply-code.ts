import type { ScalarFunction } from "#core/ir";
import { atom, bracketed, broadcastable, type Labelled, numeric, unionOf } from "./labelled.ts";
import { NotWritten } from "./not-written.ts";

const infix: Readonly<Partial<Record<ScalarFunction, readonly [string, number]>>> = {
  add: ["+", 2],
  sub: ["-", 2],
  mul: ["*", 3],
  div: ["/", 3],
  quotient: ["//", 3],
};

const comparisons: Readonly<Partial<Record<ScalarFunction, string>>> = {
  less: "<",
  "less-equal": "<=",
};

const calls: Readonly<Partial<Record<ScalarFunction, string>>> = {
  abs: "jnp.abs",
  sign: "jnp.sign",
  max: "jnp.maximum",
  min: "jnp.minimum",
  exp: "jnp.exp",
  log: "jnp.log",
  sqrt: "jnp.sqrt",
  rsqrt: "lax.rsqrt",
  tanh: "jnp.tanh",
  sigmoid: "jax.nn.sigmoid",
  erf: "lax.erf",
  sin: "jnp.sin",
  cos: "jnp.cos",
  pow: "jnp.power",
  floor: "jnp.floor",
};

/** One scalar function of arrays whose dims stand in the given order. */
export function applied(
  name: ScalarFunction,
  args: readonly Labelled[],
  order: readonly string[],
): Labelled {
  if (name === "select") return selected(args, order);
  const isAnd = name === "mul" && args.every(({ isBool }) => isBool);
  // Beside a number a comparison counts as 0 or 1 already.
  const numbers = !isAnd && args.every(({ isBool }) => isBool) ? args.map(numeric) : args;
  const axes = unionOf(numbers, order);
  const aligned = numbers.map((each) => broadcastable(each, axes));
  const [left = atom("0"), right = atom("0")] = aligned;
  if (isAnd) {
    return { code: `${bracketed(left, 3)} & ${bracketed(right, 3)}`, axes, binds: 3, isBool: true };
  }
  if (name === "neg") return { code: `-${bracketed(left, 4)}`, axes, binds: 4 };
  const [symbol, binds] = infix[name] ?? [];
  if (symbol !== undefined && binds !== undefined) {
    const code = `${bracketed(left, binds - 1)} ${symbol} ${bracketed(right, binds)}`;
    return { code, axes, binds };
  }
  const comparison = comparisons[name];
  if (comparison !== undefined) {
    const code = `${bracketed(left, 1)} ${comparison} ${bracketed(right, 1)}`;
    return { code, axes, binds: 1, isBool: true };
  }
  const call = calls[name];
  if (call === undefined) throw new NotWritten(`it needs "${name}", which draws its own numbers`);
  return atom(`${call}(${aligned.map(({ code }) => code).join(", ")})`, axes);
}

function selected(args: readonly Labelled[], order: readonly string[]): Labelled {
  const [condition = atom("0"), ...values] = args;
  const asked = condition.isBool
    ? condition
    : { ...condition, code: `${bracketed(condition, 1)} != 0`, binds: 1 };
  const all = [asked, ...values];
  const axes = unionOf(all, order);
  return atom(`jnp.where(${all.map((each) => broadcastable(each, axes).code).join(", ")})`, axes);
}
