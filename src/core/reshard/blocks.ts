import { lengthOf, type Range } from "#core/indexspace";
import { type DeviceId, heldOf, type Layout, partSize } from "#core/mesh";

type Block = readonly (readonly Range[])[];

/** What every device lacks of its block in one layout when it holds its block of another. */
export function lackingByDevice(
  from: Layout,
  to: Layout,
  shape: readonly number[],
): ReadonlyMap<DeviceId, number> {
  const [held, wanted] = [heldOf(from, shape), heldOf(to, shape)];
  const overlap = overlapMemo(shape.length);
  return new Map(
    [...wanted].map(([device, block]) => {
      const own = held.get(device);
      return [device, volume(block) - (own === undefined ? 0 : overlap(own, block))];
    }),
  );
}

/** The largest number in a map; 0 when it is empty. */
export function largest(values: ReadonlyMap<DeviceId, number>): number {
  return [...values.values()].reduce((most, value) => Math.max(most, value), 0);
}

/** Elements of a block. */
export function volume(block: Block): number {
  return block.reduce(
    (n, ranges) => n * ranges.reduce((sum, range) => sum + lengthOf(range), 0),
    1,
  );
}

/** Product of the sizes of the partial parts. */
export function addendsOf(layout: Layout): number {
  return layout.partials.reduce((n, { part }) => n * partSize(part), 1);
}

/** Common elements of two blocks; equal pairs of ranges of one dim are counted once. */
function overlapMemo(rank: number): (a: Block, b: Block) => number {
  const memo = Array.from({ length: rank }, () => new Map<string, number>());
  return (a, b) => {
    let product = 1;
    for (let dim = 0; dim < rank && product > 0; dim++) {
      const [one, other] = [a[dim] ?? [], b[dim] ?? []];
      const key = `${keyOf(one)}/${keyOf(other)}`;
      const known = memo[dim]?.get(key);
      const common = known ?? commonLength(one, other);
      if (known === undefined) memo[dim]?.set(key, common);
      product *= common;
    }
    return product;
  };
}

function keyOf(ranges: readonly Range[]): string {
  return ranges.map(({ start, stop }) => `${start}-${stop}`).join();
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
