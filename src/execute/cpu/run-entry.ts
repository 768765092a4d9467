import { type Blocks, copyBlock, type LocalBlock } from "#core/collective";
import { boxOf } from "#core/indexspace";
import { blockFrom } from "./block-from.ts";
import { emptyBlocks, type LocalWork } from "./run-local.ts";

/**
 * Data entry: every device gets its own part of the given tensor, merged with parts of earlier
 * entries.
 *
 * @param given whole tensor of each output, row-major
 */
export function runEntry(
  { ranges, outputs, shapeOf, earlier }: LocalWork,
  given: readonly (Float64Array | undefined)[],
): readonly Blocks[] {
  return outputs.map((value, at) => {
    const shape = shapeOf(value.tensor);
    const made = emptyBlocks(value, shape, earlier?.[at]);
    const values = given[at];
    if (values === undefined) return made;
    for (const { device, outputs: parts } of ranges) {
      const part = blockFrom([{ box: boxOf(shape), values }], parts[at]?.box ?? []);
      const held: readonly LocalBlock[] = made.get(device) ?? [];
      for (const block of held) copyBlock(part, block);
    }
    return made;
  });
}
