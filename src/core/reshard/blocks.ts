import { lengthOf, type Range } from "#core/indexspace";
import { blockCount, deviceIndicesIn, heldAlong, type Layout } from "#core/mesh";

type Block = readonly (readonly Range[])[];

/**
 * The most elements that a device lacks of its block in `to` while it holds its block of `from`.
 */
export function mostLacking(from: Layout, to: Layout, shape: readonly number[]): number {
  const [held, wanted] = [heldAlong(from, shape), heldAlong(to, shape)];
  const placeIn = deviceIndicesIn(from.mesh, to.mesh);
  let most = 0;
  for (const [index, device] of to.mesh.devices.entries()) {
    const place = placeIn(device, index);
    let [size, own] = [1, place === undefined ? 0 : 1];
    for (const [at, of] of wanted.entries()) {
      const ranges = of(index);
      size *= totalOf(ranges);
      if (own > 0) own *= commonLength(held[at]?.(place ?? 0) ?? [], ranges);
    }
    most = Math.max(most, size - own);
  }
  return most;
}

/** Elements of a block. */
export function volume(block: Block): number {
  return block.reduce((n, ranges) => n * totalOf(ranges), 1);
}

function totalOf(ranges: readonly Range[]): number {
  let total = 0;
  for (const range of ranges) total += lengthOf(range);
  return total;
}

/** Product of the sizes of the partial parts. */
export function addendsOf(layout: Layout): number {
  return blockCount(layout.partials.map(({ part }) => part));
}

/** Common length of two sorted lists of ranges. */
export function commonLength(a: readonly Range[], b: readonly Range[]): number {
  let [total, i, j] = [0, 0, 0];
  for (;;) {
    const [x, y] = [a[i], b[j]];
    if (x === undefined || y === undefined) return total;
    total += Math.max(0, Math.min(x.stop, y.stop) - Math.max(x.start, y.start));
    if (x.stop < y.stop) i++;
    else j++;
  }
}
