import { type KernelText, literalIndex, type Term } from "./kernel-text.ts";
import type { OutputSpace } from "./output-space.ts";

/** The place of a cell along every dim, the last one fastest. */
export function placesIn(
  lengths: readonly number[],
  cell: Term,
  text: KernelText,
): readonly Term[] {
  let rest = cell;
  return lengths
    .toReversed()
    .map((length) => {
      if (length === 1) return literalIndex(0);
      if (rest.high < length) {
        const own = rest;
        rest = literalIndex(0);
        return own;
      }
      const [outer, own] = text.digits(rest, length);
      rest = outer;
      return own;
    })
    .reverse();
}

/** The word of a result with its counters at given places. */
export function wordAt(
  { counters, bases }: OutputSpace,
  places: readonly Term[],
  text: KernelText,
): Term {
  const moves = counters.map(({ step }, at) => text.scaled(places[at] ?? literalIndex(0), step));
  return moves.reduce((sum, move) => text.sum(sum, move), text.column(bases));
}

/** A digit of a word of a block: its value, its weight, and the number of its values. */
export interface Digit {
  readonly term: Term;
  readonly step: number;
  readonly length: number;
}

/** The word of a block at given counter positions, as digits. */
export function digitsAt({ counters }: OutputSpace, places: readonly Term[]): readonly Digit[] {
  return counters.map(({ step, length }, at) => {
    return { term: places[at] ?? literalIndex(0), step, length };
  });
}
