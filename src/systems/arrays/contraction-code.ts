import type { Expr } from "#core/ir";
import type { Dialect } from "./dialect.ts";
import { atom, bracketed, type Labelled } from "./labelled.ts";

/** The factors of a product, or the expression itself. */
export function factorsOf(expr: Expr): readonly Expr[] {
  return expr.kind === "apply" && expr.function === "mul" ? expr.args.flatMap(factorsOf) : [expr];
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/**
 * A product of arrays, summed over some axes: `@` of two matrices, else `einsum`. Undefined when it
 * has fewer than two arrays, or more axes than letters.
 *
 * @param kept axes of the result in order; it lacks those that no factor has
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

/** `x @ w` where the last axis of the left is the first of the right. */
function matrixProduct(
  arrays: readonly Labelled[],
  result: readonly string[],
): Labelled | undefined {
  const [left, right, more] = arrays;
  if (left === undefined || right === undefined || more !== undefined) return undefined;
  const [k, n] = right.axes;
  const isMatrix = right.axes.length === 2 && left.axes.length > 1 && left.axes.at(-1) === k;
  const wanted = [...left.axes.slice(0, -1), n];
  const isProduct = isMatrix && wanted.join() === result.join() && !left.axes.includes(n ?? "");
  if (!isProduct) return undefined;
  return { code: `${bracketed(left, 2)} @ ${bracketed(right, 3)}`, axes: result, binds: 3 };
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
