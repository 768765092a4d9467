import type { Operation, TensorType } from "./mlir.ts";
import { countOf, isFloating } from "./types.ts";
import { type Counter, rangeOf, type Value } from "./values.ts";

/**
 * The result of an operation on two numbers, or a counter and a number, if it is known at reading
 * time.
 */
export function foldedPair(
  name: string,
  { text }: Operation,
  x: Value,
  y: Value,
  type: TensorType,
): Value | undefined {
  if (x.kind === "number" && y.kind === "number") {
    const direction = /\b(EQ|NE|LT|LE|GT|GE)\b/u.exec(text)?.[1] ?? "";
    const value = foldedNumber(name, direction, x, y);
    return value === undefined ? undefined : { kind: "number", value, type };
  }
  if (x.kind === "counter" && y.kind === "number" && typeof y.value === "number") {
    return countedWith(name, text, x, y.value, type);
  }
  if (y.kind === "counter" && x.kind === "number" && typeof x.value === "number") {
    if (name === "add") return { ...y, offset: y.offset + x.value, type };
    if (name !== "subtract") return undefined;
    const factor = y.factor === 1 ? -1 : 1;
    return { ...y, factor, offset: x.value - y.offset, type };
  }
  return undefined;
}

function foldedNumber(
  name: string,
  direction: string,
  { value: x, type: { dtype, shape } }: Value & { readonly kind: "number" },
  { value: y }: Value & { readonly kind: "number" },
): number | boolean | undefined {
  const [a, b] = [Number(x), Number(y)];
  if (name === "compare") return orders[direction]?.(a, b);
  if (dtype === "i1") {
    if (name === "and") return Boolean(x) && Boolean(y);
    return name === "or" ? Boolean(x) || Boolean(y) : undefined;
  }
  const made = {
    ...{ add: a + b, subtract: a - b, multiply: a * b, maximum: Math.max(a, b) },
    ...{ minimum: Math.min(a, b), ...(isFloating(dtype) && { divide: a / b }) },
  }[name];
  if (made === undefined || countOf(shape) === 0) return undefined;
  if (isFloating(dtype)) return rounded(made, dtype);
  return Number.isSafeInteger(made) && Math.abs(made) < 2 ** 31 ? made : undefined;
}

const orders: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  EQ: (a, b) => a === b,
  NE: (a, b) => a !== b,
  LT: (a, b) => a < b,
  LE: (a, b) => a <= b,
  GT: (a, b) => a > b,
  GE: (a, b) => a >= b,
};

function countedWith(
  name: string,
  text: string,
  x: Counter & { readonly kind: "counter" },
  number: number,
  type: TensorType,
): Value | undefined {
  if (name === "add") return { ...x, offset: x.offset + number, type };
  if (name === "subtract") return { ...x, offset: x.offset - number, type };
  if (name === "maximum" && rangeOf(x)[0] >= number) return { ...x, type };
  if (name === "minimum" && rangeOf(x)[1] <= number) return { ...x, type };
  if (name !== "compare") return undefined;
  const order = orders[/\b(EQ|NE|LT|LE|GT|GE)\b/u.exec(text)?.[1] ?? ""];
  const [least, most] = rangeOf(x);
  const [low, high] = [order?.(least, number), order?.(most, number)];
  const isInside = least <= number && number <= most;
  if (low === undefined || low !== high || (isInside && /\b(?:EQ|NE)\b/u.test(text)))
    return undefined;
  return { kind: "number", value: low, type };
}

/**
 * A number rounded to a float type; `undefined` for integer types and for values of 16-bit types
 * that are not small integers.
 */
export function rounded(value: number | undefined, dtype: string): number | undefined {
  if (value === undefined || !isFloating(dtype)) return undefined;
  if (dtype === "f64") return value;
  if (dtype === "f32") return Math.fround(value);
  return Number.isInteger(value) && Math.abs(value) <= 256 ? value : undefined;
}
