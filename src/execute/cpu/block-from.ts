import { copyBlock, type LocalBlock } from "#core/collective";
import { type Box, volumeOf } from "#core/indexspace";

/** New block for a box, copied from blocks that overlap it; cells that no block has are NaN. */
export function blockFrom(held: readonly LocalBlock[], box: Box): LocalBlock {
  const block = { box, values: new Float64Array(volumeOf(box)).fill(Number.NaN) };
  for (const each of held) copyBlock(each, block);
  return block;
}
