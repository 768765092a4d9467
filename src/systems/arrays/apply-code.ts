import type { DType } from "#core/ir";
import type { ScalarFunction } from "#core/ir/body";
import type { Dialect } from "./dialect.ts";
import { NotWritten } from "./not-written.ts";
import { atom, bracketed, broadcastable, type Labelled, unionOf } from "./python/labelled.ts";

const infix: Readonly<Partial<Record<ScalarFunction, readonly [string, number]>>> = {
  add: ["+", 2],
  sub: ["-", 2],
  mul: ["*", 3],
  div: ["/", 3],
  quotient: ["//", 3],
};

/** Bitwise operators, which in Python bind tighter than comparisons but looser than sums. */
const ofBits: Readonly<Partial<Record<ScalarFunction, string>>> = {
  "bit-and": "&",
  "bit-or": "|",
  "bit-xor": "^",
};

const comparisons: Readonly<Partial<Record<ScalarFunction, string>>> = {
  less: "<",
  "less-equal": "<=",
};

/**
 * Code of one scalar function of arrays, with the result's dims in the given order.
 *
 * @param dtype the element type to which comparisons are converted beside arrays
 */
export function applied(
  name: ScalarFunction,
  args: readonly Labelled[],
  order: readonly string[],
  { dialect, dtype }: { readonly dialect: Dialect; readonly dtype: DType },
): Labelled {
  const given = name === "select" ? asked(args) : args;
  const isAnd = name === "mul" && given.every(({ isBool }) => isBool);
  // Python counts a comparison as 0 or 1 next to a number, but not every library allows it in a
  // difference.
  const isAllBool = given.every(({ isBool }) => isBool);
  const isCounted = name !== "select" && !isAnd && isAllBool;
  const isRefused = name === "sub" && !dialect.subtractsComparisons;
  const numbers = isCounted
    ? given.map((each) => numeric(each, "f32", dialect))
    : isRefused
      ? given.map((each) => (each.isBool ? numeric(each, dtype, dialect) : each))
      : given;
  const axes = unionOf(numbers, order);
  const aligned = numbers.map((each) => broadcastable(each, axes));
  const isNumber = numbers.every((each) => each.isNumber === true);
  if (isAnd) return { ...joined("&", 1, aligned, 1), axes, isBool: true, isNumber };
  const [only = atom("0")] = aligned;
  if (name === "neg") return { code: `-${bracketed(only, 4)}`, axes, binds: 4, isNumber };
  const [symbol, binds] = infix[name] ?? [];
  if (symbol !== undefined && binds !== undefined) {
    return { ...joined(symbol, binds, aligned), axes, isNumber };
  }
  const sign = ofBits[name];
  if (sign !== undefined) return { ...joined(sign, 1, aligned, 1), axes, isNumber };
  const comparison = comparisons[name];
  if (comparison !== undefined) return compared(comparison, numbers, order);
  const call = dialect.call(name, aligned);
  if (call === undefined) throw new NotWritten(`it needs "${name}", which draws its own numbers`);
  return { ...call, axes };
}

/** Code that compares two arrays, element by element. */
export function compared(
  sign: string,
  sides: readonly Labelled[],
  order: readonly string[],
): Labelled {
  const axes = unionOf(sides, order);
  const isNumber = sides.every((each) => each.isNumber === true);
  const aligned = sides.map((each) => broadcastable(each, axes));
  return { ...joined(sign, 1, aligned, 1), axes, isBool: true, isNumber };
}

/** Two operands joined by a left-associative operator. */
function joined(
  symbol: string,
  binds: number,
  [left = atom("0"), right = atom("0")]: readonly Labelled[],
  around = binds - 1,
): Pick<Labelled, "code" | "binds"> {
  return { code: `${bracketed(left, around)} ${symbol} ${bracketed(right, binds)}`, binds };
}

function numeric(array: Labelled, dtype: DType, dialect: Dialect): Labelled {
  const { axes, isNumber = false } = array;
  return { ...atom(dialect.numeric(array, dtype), axes), isNumber };
}

/** Arguments of a select; a numeric condition becomes a test for nonzero. */
function asked([condition = atom("0"), ...values]: readonly Labelled[]): readonly Labelled[] {
  if (condition.isBool) return [condition, ...values];
  const code = `${bracketed(condition, 1)} != 0`;
  return [{ ...condition, code, binds: 1, isBool: true }, ...values];
}
