import type { Box } from "#core/indexspace";
import type { HeldBlock } from "./frame.ts";

/** A block without its text: only the few drawn blocks get one. */
export type Block = Omit<HeldBlock, "text">;

/** Most blocks drawn per device of a frame; more would be thinner than a line. @internal */
export const mostBlocks = 48;

/**
 * The blocks of a device in drawable number: above `mostBlocks`, neighbours are joined in runs of
 * equal length. A run has the range it covers and the coordinate of its first block; blocks that do
 * not touch stay separate.
 */
export function joinedBlocks(
  blocks: readonly Block[],
  wordsOf: (box: Box) => string,
): readonly HeldBlock[] {
  const drawn = blocks.length <= mostBlocks ? blocks : inRuns(blocks);
  return drawn.map((block) => ({ ...block, text: wordsOf(block.box) }));
}

function inRuns(blocks: readonly Block[]): readonly Block[] {
  const length = Math.ceil(blocks.length / mostBlocks);
  const joined: Block[] = [];
  let inRun = 0;
  for (const block of [...blocks].sort(byStart)) {
    const last = joined.at(-1);
    const box = last && inRun < length ? union(last, block) : undefined;
    if (last === undefined || box === undefined) {
      joined.push(block);
      inRun = 1;
    } else {
      joined[joined.length - 1] = { ...last, box };
      inRun += 1;
    }
  }
  return joined;
}

function byStart({ box: a }: Block, { box: b }: Block): number {
  const dim = a.findIndex((range, at) => range.start !== b[at]?.start);
  return (a[dim]?.start ?? 0) - (b[dim]?.start ?? 0);
}

/**
 * Union of two blocks that touch along one dim and agree in the others; `undefined` for any other
 * pair.
 */
function union(first: Block, next: Block): Box | undefined {
  if (first.isPartial !== next.isPartial) return undefined;
  const differing = first.box.flatMap((range, dim) => {
    const other = next.box[dim];
    return other?.start === range.start && other.stop === range.stop ? [] : [dim];
  });
  const [dim] = differing;
  if (dim === undefined || differing.length > 1) return undefined;
  const [before, after] = [first.box[dim], next.box[dim]];
  if (before === undefined || after === undefined || before.stop !== after.start) return undefined;
  return first.box.map((range, at) =>
    at === dim ? { start: before.start, stop: after.stop } : range,
  );
}
