import type { Expr } from "#core/ir/body";
import type { Dialect } from "../dialect.ts";
import { atom, bracketed, type Labelled } from "./labelled.ts";

/**
 * The factors of a product, with nested products flattened; any other expression is its own only
 * factor.
 */
export function factorsOf(expr: Expr): readonly Expr[] {
  return expr.kind === "apply" && expr.function === "mul" ? expr.args.flatMap(factorsOf) : [expr];
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/**
 * A product of arrays summed over some axes: `@` for two matrices, else `einsum`. `undefined` when
 * it has fewer than two arrays, or more axes than letters.
 *
 * @param kept axes of the result in order; axes that no factor has are left out
 */
export function contracted(
  factors: readonly Labelled[],
  kept: readonly string[],
  summed: readonly string[],
  dialect: Dialect,
): Labelled | undefined {
  const arrays = factors.filter(({ axes }) => axes.length > 0);
  const scalars = factors.filter(({ axes }) => axes.length === 0);
  if (arrays.length < 2 || arrays.some(({ isBool }) => isBool)) return undefined;
  if (!arrays.some(({ axes }) => axes.some((axis) => summed.includes(axis)))) return undefined;
  const result = kept.filter((axis) => arrays.some(({ axes }) => axes.includes(axis)));
  const product = matrixProduct(arrays, result) ?? einsum(arrays, result, dialect);
  if (product === undefined) return undefined;
  return scalars.reduce<Labelled>(
    (sum, scalar) => ({
      code: `${bracketed(sum, 2)} * ${bracketed(scalar, 3)}`,
      axes: sum.axes,
      binds: 3,
    }),
    product,
  );
}

/**
 * A product of two arrays in either order: `x @ w` with a matrix on the right, `x @ w.T`, or `x.T @
 * w` of two matrices.
 */
function matrixProduct(
  [a, b, more]: readonly Labelled[],
  result: readonly string[],
): Labelled | undefined {
  if (a === undefined || b === undefined || more !== undefined) return undefined;
  return productOfTwo(a, b, result) ?? productOfTwo(b, a, result);
}

function productOfTwo(
  left: Labelled,
  right: Labelled,
  result: readonly string[],
): Labelled | undefined {
  if (right.axes.length !== 2 || left.axes.length < 2) return undefined;
  const lefts = left.axes.length === 2 ? [left, turned(left)] : [left];
  for (const x of lefts)
    for (const w of [right, turned(right)]) {
      const [k = "", n = ""] = w.axes;
      const wanted = [...x.axes.slice(0, -1), n];
      const isProduct = x.axes.at(-1) === k && wanted.join() === result.join();
      if (isProduct && !x.axes.includes(n))
        return { code: `${bracketed(x, 2)} @ ${bracketed(w, 3)}`, axes: result, binds: 3 };
    }
  return undefined;
}

/** The transpose of a matrix. */
function turned(array: Labelled): Labelled {
  return atom(`${bracketed(array, 8)}.T`, array.axes.toReversed());
}

function einsum(
  arrays: readonly Labelled[],
  result: readonly string[],
  dialect: Dialect,
): Labelled | undefined {
  const all = [...new Set(arrays.flatMap(({ axes }) => axes))];
  if (all.length > letters.length) return undefined;
  const own = new Map<string, string>();
  const isShort = all.every((axis) => /^[a-z]$/.test(axis));
  for (const [at, axis] of all.entries()) own.set(axis, isShort ? axis : (letters[at] ?? "a"));
  const text = (axes: readonly string[]) => axes.map((axis) => own.get(axis)).join("");
  const equation = `${arrays.map(({ axes }) => text(axes)).join(",")}->${text(result)}`;
  const codes = arrays.map(({ code }) => code);
  return atom(dialect.einsum(equation, codes), result);
}
