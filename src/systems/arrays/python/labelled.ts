import { NotWritten } from "../not-written.ts";

/** An array as a Python expression, with the index axis of each dim. */
export interface Labelled {
  readonly code: string;
  readonly axes: readonly string[];
  /** Precedence of its outermost operator: 1 comparison, 2 sum, 3 product, 4 sign, 9 none. */
  readonly binds: number;
  /** Whether it is a comparison: true or false instead of 1 or 0. */
  readonly isBool?: boolean;
  /** Whether it is a Python number, not an array. */
  readonly isNumber?: boolean;
}

/** A name or call, which never needs brackets. */
export function atom(code: string, axes: readonly string[] = []): Labelled {
  return { code, axes, binds: 9 };
}

/** A Python number. */
export function plainNumber(value: number): Labelled {
  // Twelve digits: in a quotient such as 1 / (1 - 0.9) further digits are rounding errors.
  const code = String(Number(value.toPrecision(12)));
  return { code, axes: [], binds: value < 0 ? 4 : 9, isNumber: true };
}

/** The code of an expression, in brackets unless it binds more strongly than `around`. */
export function bracketed({ code, binds }: Labelled, around: number): string {
  return binds > around ? code : `(${code})`;
}

/** An array with its dims in the order of a list of axes, which may contain more. */
export function ordered(
  array: Labelled,
  order: readonly string[],
  transposed: (code: string, places: readonly number[]) => string,
): Labelled {
  const wanted = order.filter((axis) => array.axes.includes(axis));
  if (wanted.length !== array.axes.length) throw new NotWritten("an index axis has no place");
  const places = wanted.map((axis) => array.axes.indexOf(axis));
  if (places.every((place, at) => place === at)) return array;
  const inner = bracketed(array, 8);
  const code = places.length === 2 ? `${inner}.T` : transposed(inner, places);
  return atom(code, wanted);
}

/** An array that broadcasts against one with the given axes: dims of size 1 for those it lacks. */
export function broadcastable(array: Labelled, axes: readonly string[]): Labelled {
  const first = axes.findIndex((axis) => array.axes.includes(axis));
  if (first < 0) return array;
  const dims = axes.slice(first).map((axis) => (array.axes.includes(axis) ? ":" : "None"));
  if (!dims.includes("None")) return array;
  return atom(`${bracketed(array, 8)}[${dims.join(", ")}]`, axes);
}

/** The axes of several arrays in a common order. */
export function unionOf(arrays: readonly Labelled[], order: readonly string[]): readonly string[] {
  return order.filter((axis) => arrays.some(({ axes }) => axes.includes(axis)));
}
