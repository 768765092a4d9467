/**
 * Result shape of an element-wise operator with operands broadcast as in NumPy: aligned at the last
 * dim, a size of 1 is stretched, and a missing leading dim counts as 1. `undefined` if two sizes
 * other than 1 differ; `[]` without operands.
 */
export function broadcastShape(
  shapes: readonly (readonly number[])[],
): readonly number[] | undefined {
  const rank = Math.max(0, ...shapes.map(({ length }) => length));
  const sizes = Array.from({ length: rank }, () => 1);
  for (const shape of shapes) {
    for (const [at, size] of shape.entries()) {
      const dim = at + rank - shape.length;
      if (size === 1 || size === sizes[dim]) continue;
      if (sizes[dim] !== 1) return undefined;
      sizes[dim] = size;
    }
  }
  return sizes;
}
