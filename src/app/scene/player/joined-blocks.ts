import type { Box } from "#core/indexspace";
import type { HeldBlock } from "./frame.ts";

/** A block before it has its words: of thousands few are drawn. */
export type Block = Omit<HeldBlock, "text">;

/**
 * Blocks that a device of a frame is drawn with at most: more would be thinner than a line.
 * @internal
 */
export const mostBlocks = 48;

/**
 * The blocks of a device as they can be drawn: where there are more than `mostBlocks`, neighbours
 * are joined in runs of equal length. A run reads as the range that it covers and takes the
 * coordinate of its first block; blocks that do not meet stay apart.
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

/** The box of two blocks that meet along one dim and agree in the others. */
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
