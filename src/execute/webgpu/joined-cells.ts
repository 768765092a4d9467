// Groups transfers that write the same cells, so that one kernel adds them up.

import { type Box, lengthOf } from "#core/indexspace";
import type { HeldBlock } from "./program-builder.ts";
import type { Transfer } from "./transfer-kernel.ts";

/**
 * Parts of one receiver as regions with one source per part; `undefined` if parts lie differently.
 *
 * A part that brings nothing is left out, because it has nothing to add. Members of a group differ
 * only along summed axes, so under a layout they hold the same boxes and receive the same ones,
 * even in another order: either all of them bring something to a receiver or none does (`parcels`
 * then says that nothing came). With windows a member holds none if its piece of the axis is empty.
 */
export function joinedAlike(
  parts: readonly (readonly Transfer[])[],
): readonly Transfer[] | undefined {
  const [first, ...rest] = parts.filter((part) => part.length > 0);
  if (first === undefined) return [];
  const joined = first.map((transfer, at) => {
    const others = rest.map((part) => part[at]);
    const isAlike = others.every((other) => other !== undefined && isSameForm(transfer, other));
    if (!isAlike) return undefined;
    return {
      ...transfer,
      from: [...transfer.from, ...others.flatMap((other) => other?.from ?? [])],
    };
  });
  const isWhole = rest.every((part) => part.length === first.length);
  const found = joined.filter((each) => each !== undefined);
  return isWhole && found.length === joined.length ? found : undefined;
}

function isSameForm(a: Transfer, b: Transfer): boolean {
  const form = ({ to, lengths, fromStrides, toStrides }: Transfer) =>
    JSON.stringify([to, lengths, fromStrides, toStrides]);
  return form(a) === form(b);
}

/** The words of a box in the blocks that have it, in the order in which it is packed. */
export function cellsOf(blocks: readonly HeldBlock[], box: Box): readonly number[] {
  const cells: number[] = [];
  const visit = (dim: number, point: readonly number[]): void => {
    const range = box[dim];
    if (range !== undefined) {
      for (let at = range.start; at < range.stop; at += 1) visit(dim + 1, [...point, at]);
      return;
    }
    const block = blocks.find((each) =>
      each.box.every(({ start, stop }, at) => start <= (point[at] ?? 0) && (point[at] ?? 0) < stop),
    );
    cells.push(block === undefined ? -1 : wordAt(block, point));
  };
  visit(0, []);
  return cells;
}

function wordAt({ box, base }: HeldBlock, point: readonly number[]): number {
  const flat = box.reduce(
    (sum, range, dim) => sum * lengthOf(range) + (point[dim] ?? 0) - range.start,
    0,
  );
  return base + flat;
}

/**
 * Regions between two sequences of cells, one packed and one unpacked, as runs that both have in
 * common.
 */
export function runsAcross(
  sources: readonly number[],
  targets: readonly number[],
): readonly Transfer[] {
  const runs: { from: number; to: number; words: number }[] = [];
  for (const [at, to] of targets.entries()) {
    const from = sources[at] ?? -1;
    if (from < 0 || to < 0) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.from + last.words === from && last.to + last.words === to) {
      last.words += 1;
    } else runs.push({ from, to, words: 1 });
  }
  return runs.map(({ from, to, words }) => ({
    from: [from],
    to: [to],
    lengths: [words],
    fromStrides: [1],
    toStrides: [1],
  }));
}
