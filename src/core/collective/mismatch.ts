import type { Box } from "#core/indexspace";
import type { DeviceId, Layout } from "#core/mesh";
import { gather } from "./blocks.ts";
import { copyRegion } from "./copy-region.ts";
import { type Blocks, type LocalBlock, unfilled, wholeBlock } from "./local-block.ts";
import { replayCollective } from "./replay.ts";
import { createStep } from "./step.ts";

/** An element of a device with a wrong value. */
export interface Mismatch {
  readonly device: DeviceId;
  readonly index: readonly number[];
  readonly got: number;
  readonly want: number;
}

/**
 * The first element, by device in mesh order, in which any replica differs from the whole tensor;
 * partial contributions are combined before. NaN equals NaN, and nothing else is rounded.
 * @internal
 */
export function firstMismatch(
  layout: Layout,
  shape: readonly number[],
  blocks: Blocks,
  whole: Float64Array,
): Mismatch | undefined {
  const moves = layout.partials.map(({ part }) => ({ part }));
  const step = createStep(layout, "all-reduce", moves, shape);
  const combined = moves.length === 0 ? blocks : replayCollective(step, blocks, shape);
  for (const device of layout.mesh.devices) {
    for (const block of combined.get(device) ?? []) {
      const found = mismatchIn(block, shape, whole);
      if (found !== undefined) return { device, ...found };
    }
  }
  return firstMissing(layout, shape, combined, whole);
}

function mismatchIn(
  block: LocalBlock,
  shape: readonly number[],
  whole: Float64Array,
): Omit<Mismatch, "device"> | undefined {
  const wanted = unfilled(block.box);
  copyRegion(wholeBlock(shape, whole), wanted, block.box);
  const at = wanted.values.findIndex((want, i) => {
    const got = block.values[i] ?? Number.NaN;
    return got !== want && !(Number.isNaN(got) && Number.isNaN(want));
  });
  if (at < 0) return undefined;
  const got = block.values[at] ?? Number.NaN;
  return { index: indexAt(block.box, at), got, want: wanted.values[at] ?? Number.NaN };
}

/** An element that no device holds at all. */
function firstMissing(
  layout: Layout,
  shape: readonly number[],
  blocks: Blocks,
  whole: Float64Array,
): Mismatch | undefined {
  const found = gather({ ...layout, partials: [] }, shape, blocks);
  const mismatch = mismatchIn(wholeBlock(shape, found), shape, whole);
  return mismatch === undefined ? undefined : { device: layout.mesh.devices[0] ?? 0, ...mismatch };
}

function indexAt(box: Box, offset: number): readonly number[] {
  let rest = offset;
  return [...box]
    .reverse()
    .map(({ start, stop }) => {
      const digit = rest % (stop - start);
      rest = Math.floor(rest / (stop - start));
      return start + digit;
    })
    .reverse();
}
