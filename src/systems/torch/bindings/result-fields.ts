import { fieldOf } from "#core/records";
import type { Value } from "#language/python";

const found = ["values", "indices"];

/** Field names of the named tuples that functions of PyTorch return, by function name. */
const fields: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [
      ...["topk", "top_k", "sort", "max", "min", "median", "nanmedian", "mode", "kthvalue"],
      ...["cummax", "cummin"],
    ].map((name) => [name, found]),
  ),
  aminmax: ["min", "max"],
  frexp: ["mantissa", "exponent"],
  histogram: ["hist", "bin_edges"],
  triangular_solve: ["solution", "cloned_coefficient"],
  geqrf: ["a", "tau"],
  qr: ["Q", "R"],
  svd: ["U", "S", "V"],
  "torch.linalg.svd": ["U", "S", "Vh"],
  eigh: ["eigenvalues", "eigenvectors"],
  slogdet: ["sign", "logabsdet"],
  lu: ["P", "L", "U"],
  lu_unpack: ["P", "L", "U"],
  lu_factor: ["LU", "pivots"],
  lu_factor_ex: ["LU", "pivots", "info"],
  ldl_factor: ["LD", "pivots"],
  ldl_factor_ex: ["LD", "pivots", "info"],
  inv_ex: ["inverse", "info"],
  cholesky_ex: ["L", "info"],
  solve_ex: ["result", "info"],
  lstsq: ["solution", "residuals", "rank", "singular_values"],
};

/**
 * The names of what a function gives, where it gives several.
 *
 * @param path the function, with its module where that matters
 */
export function resultFields(path: string): readonly string[] | undefined {
  const name = path.slice(path.lastIndexOf(".") + 1);
  if (Object.hasOwn(fields, path)) return fieldOf(fields, path);
  return Object.hasOwn(fields, name) ? fieldOf(fields, name) : undefined;
}

/** A result as PyTorch gives it: a tuple of several has names for them. */
export function named(path: string, result: Value): Value {
  if (result.kind !== "tuple") return result;
  const names = resultFields(path);
  return names?.length === result.items.length ? { ...result, fields: names } : result;
}
