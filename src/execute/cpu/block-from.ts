import { copyBlock, type LocalBlock } from "#core/collective";
import { type Box, volumeOf } from "#core/indexspace";

/** A new block for a box, copied from blocks that have parts of it; cells that none has are NaN. */
export function blockFrom(held: readonly LocalBlock[], box: Box): LocalBlock {
  const block = { box, values: new Float64Array(volumeOf(box)).fill(Number.NaN) };
  for (const each of held) copyBlock(each, block);
  return block;
}
