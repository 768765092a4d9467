import type { RecomputedBlock, Training } from "./training.ts";

/**
 * Finds the least number of recomputed blocks with which a step fits into `bytes`: it yields a
 * number to try and receives the peak. The peak is assumed to fall with each recomputed block.
 * Returns `undefined` if the step does not fit even with all blocks recomputed.
 *
 * @param all the number of blocks
 */
export function* fewestBlocks(
  all: number,
  bytes: number,
): Generator<number, number | undefined, number> {
  let [low, lowPeak] = [0, yield 0];
  if (lowPeak <= bytes) return 0;
  if (all === 0) return undefined;
  let [high, highPeak] = [all, yield all];
  if (!(highPeak <= bytes)) return undefined;
  let isHeld = true;
  for (let turn = 0; high - low > 1; turn += 1) {
    // Equal blocks save equal bytes: the first guess is mostly right, and its neighbour proves it.
    // For unequal blocks every third try halves the range, so that the search ends.
    const share = turn % 3 === 0 ? (lowPeak - bytes) / (lowPeak - highPeak) : 0.5;
    const beside = isHeld ? high - 1 : low + 1;
    const wanted = turn % 3 === 1 ? beside : low + Math.ceil(share * (high - low));
    const next = Math.min(high - 1, Math.max(low + 1, Number.isFinite(wanted) ? wanted : 0));
    const peak = yield next;
    isHeld = peak <= bytes;
    if (isHeld) [high, highPeak] = [next, peak];
    else [low, lowPeak] = [next, peak];
  }
  return high;
}

/** A training step with these blocks recomputed and no budget. */
export function withBlocks(
  { budget: _, ...training }: Training,
  blocks: readonly RecomputedBlock[],
): Training {
  const handsOn = new Set([
    ...(training.handsOn ?? []),
    ...blocks.flatMap((block) => block.handsOn),
  ]);
  return {
    ...training,
    recompute: new Set([...training.recompute, ...blocks.flatMap((block) => block.recompute)]),
    ...(handsOn.size > 0 && { handsOn }),
  };
}
