import { type Box, lengthOf, volumeOf } from "#core/indexspace";
import type { SentBox } from "#systems/arrays";

/** Boxes of one shape sent at once: each device sends at most one and receives at most one. */
export interface ExchangeRound {
  readonly sent: readonly SentBox[];
  /** Elements that each receiver gets. */
  readonly elements: number;
}

/**
 * Splits an exchange into rounds of permutes, since XLA lacks a ragged collective on some
 * platforms. A permute sends blocks of one shape, so boxes of different shapes go in different
 * rounds, and each device receives exactly its boxes.
 */
export function exchangeRounds(sent: readonly SentBox[]): readonly ExchangeRound[] {
  const rounds: SentBox[][] = [];
  for (const box of sent.toSorted((a, b) => volumeOf(b.range) - volumeOf(a.range))) {
    const fits = (round: readonly SentBox[]) =>
      round.every(
        ({ from, to, range }) =>
          from !== box.from && to !== box.to && isSameShape(range, box.range),
      );
    const free = rounds.find(fits);
    if (free === undefined) rounds.push([box]);
    else free.push(box);
  }
  return rounds.map((round) => ({ sent: round, elements: volumeOf(round[0]?.range ?? []) }));
}

function isSameShape(a: Box, b: Box): boolean {
  return a.every((range, dim) => lengthOf(range) === along(b, dim));
}

function along(box: Box, dim: number): number {
  const range = box[dim];
  return range === undefined ? 1 : lengthOf(range);
}
