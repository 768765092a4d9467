import { product } from "#core/arithmetic";
import { type DimLayout, partSize } from "#core/mesh";
import type { IndexRun } from "#systems/system";

/** Piece counts of the parts that cut a dim, outermost first; parts of one piece are left out. */
export function countsOf({ parts }: DimLayout): readonly number[] {
  return parts.map(partSize).filter((count) => count > 1);
}

/**
 * The blocks of a dim as DTensor cuts it: axis by axis, each block into chunks of ceiling length.
 */
function nestedBlocks(size: number, counts: readonly number[]): readonly IndexRun[] {
  let blocks: readonly IndexRun[] = [[0, size]];
  for (const count of counts) {
    blocks = blocks.flatMap(([start, stop]) => {
      const length = Math.ceil((stop - start) / count);
      const at = (chunk: number) => Math.min(stop, start + chunk * length);
      return Array.from({ length: count }, (_, chunk): IndexRun => [at(chunk), at(chunk + 1)]);
    });
  }
  return blocks;
}

/** The blocks of a dim cut by all axes at once, as on a flattened mesh. */
function flatBlocks(size: number, counts: readonly number[]): readonly IndexRun[] {
  return nestedBlocks(size, [product(counts)]);
}

/**
 * Whether flat blocks have other lengths than blocks cut axis by axis, so that a flattened mesh
 * misplaces them.
 */
export function isMistaken(size: number, counts: readonly number[]): boolean {
  const flat = flatBlocks(size, counts);
  return nestedBlocks(size, counts).some(
    ([start, stop], at) => stop - start !== lengthOf(flat[at] ?? [0, 0]),
  );
}

/**
 * The result of a gather over a flattened mesh for nested blocks, as text: each block is padded
 * with zeros to the longest flat block, then cut to the length of the flat block at its position.
 * `0:3 + 1 zero + 3:4`.
 */
export function gatheredText(size: number, counts: readonly number[]): string {
  const flat = flatBlocks(size, counts);
  const runs: IndexRun[] = [];
  const texts: string[] = [];
  const say = (text?: string) => {
    if (runs.length > 0) texts.push(runs.map(([start, stop]) => `${start}:${stop}`).join(" + "));
    runs.length = 0;
    if (text !== undefined) texts.push(text);
  };
  for (const [at, [start, stop]] of nestedBlocks(size, counts).entries()) {
    const length = lengthOf(flat[at] ?? [0, 0]);
    const end = Math.min(stop, start + length);
    const last = runs.at(-1);
    if (end > start && last?.[1] === start) runs[runs.length - 1] = [last[0], end];
    else if (end > start) runs.push([start, end]);
    const zeros = length - (end - start);
    if (zeros > 0) say(zeros === 1 ? "1 zero" : `${zeros} zeros`);
  }
  say();
  return texts.join(" + ");
}

function lengthOf([start, stop]: IndexRun): number {
  return stop - start;
}
