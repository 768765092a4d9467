import { blockCount, type Layout } from "#core/mesh";

/** Whether every dim is cut into equal blocks; then layouts are digits, and formulas are exact. */
export function isEven(layout: Layout, shape: readonly number[]): boolean {
  return layout.dims.every(
    (dim, at) => dim.sizes === undefined && (shape[at] ?? 0) % blockCount(dim.parts) === 0,
  );
}
