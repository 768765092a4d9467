import { type Box, boxOf } from "#core/indexspace";
import { boxesByIndex, type Layout } from "#core/mesh";
import { combine, contributionOf, contributionsOf } from "./contributions.ts";
import { copyRegion } from "./copy-region.ts";
import { type Blocks, type LocalBlock, unfilled, wholeBlock } from "./local-block.ts";

/**
 * Distributes a whole tensor into blocks by a layout.
 *
 * Over partial axes each value is split into contributions that differ between the devices and
 * combine to it again. That is exact for integers that a double can hold.
 */
export function scatter(layout: Layout, shape: readonly number[], whole: Float64Array): Blocks {
  const source = wholeBlock(shape, whole);
  const shares = contributionsOf(layout);
  const divided = shares.digits.map((digits) => ({
    box: source.box,
    values: whole.map((value, at) => contributionOf(shares.partials, digits, value, at)),
  }));
  const boxes = boxesByIndex(layout, shape);
  return new Map(
    layout.mesh.devices.map((device, index) => {
      const share = divided[shares.of(index)] ?? source;
      return [device, (boxes[index] ?? []).map((box) => cutOut(share, box))];
    }),
  );
}

/**
 * Whole tensor assembled from the devices' blocks: partial contributions are combined, and of
 * replicas the first is taken. Elements that no device holds are NaN. `firstMismatch` checks every
 * replica.
 */
export function gather(layout: Layout, shape: readonly number[], blocks: Blocks): Float64Array {
  const shares = contributionsOf(layout);
  const wholes = shares.digits.map(() => unfilled(boxOf(shape)));
  [...layout.mesh.devices.entries()].reverse().forEach(([index, device]) => {
    const whole = wholes[shares.of(index)];
    for (const block of blocks.get(device) ?? []) {
      if (whole !== undefined) copyRegion(block, whole, block.box);
    }
  });
  return combine(
    shares.partials,
    wholes.map(({ values }) => values),
  );
}

function cutOut(source: LocalBlock, box: Box): LocalBlock {
  const block = unfilled(box);
  copyRegion(source, block, box);
  return block;
}
