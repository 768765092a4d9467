import { type Box, lengthOf, volumeOf } from "#core/indexspace";
import type { SentBox } from "#systems/arrays";

/** Boxes that are sent at once: no device gives two of them, and none gets two. */
export interface ExchangeRound {
  readonly sent: readonly SentBox[];
  /** Of what each taker receives, padded to the longest box of the round in every dim. */
  readonly elements: number;
}

/**
 * An exchange as rounds of permutes, for XLA has no ragged collective on every platform: the largest
 * boxes first, and together only those that are padded to less than they would send one by one.
 */
export function exchangeRounds(sent: readonly SentBox[]): readonly ExchangeRound[] {
  const rounds: SentBox[][] = [];
  for (const box of sent.toSorted((a, b) => volumeOf(b.range) - volumeOf(a.range))) {
    const fits = (round: readonly SentBox[]) =>
      round.every(({ from, to }) => from !== box.from && to !== box.to) &&
      paddedVolume([...round, box]) <= paddedVolume(round) + volumeOf(box.range);
    const free = rounds.find(fits);
    if (free === undefined) rounds.push([box]);
    else free.push(box);
  }
  return rounds.map((round) => ({ sent: round, elements: paddedVolume(round) }));
}

function paddedVolume(round: readonly SentBox[]): number {
  const [first] = round;
  const longest = (first?.range ?? []).map((_, dim) =>
    Math.max(...round.map(({ range }) => along(range, dim))),
  );
  return longest.reduce((product, length) => product * length, 1);
}

function along(box: Box, dim: number): number {
  const range = box[dim];
  return range === undefined ? 1 : lengthOf(range);
}
