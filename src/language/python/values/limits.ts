/**
 * What a text may use up before its evaluation ends in a diagnostic. Every limit counts something
 * that is the same on every machine, so the same text always ends at the same place.
 */
export interface Limits {
  /** Parts of expressions and statements that are evaluated. */
  readonly steps: number;
  /** Function calls inside each other. */
  readonly depth: number;
  /** Items put into containers, in all. */
  readonly cells: number;
  /** UTF-16 units of all texts that are made. */
  readonly characters: number;
  /** Bits of one integer. */
  readonly bits: number;
  /** UTF-16 units that are printed. */
  readonly output: number;
  /** UTF-16 units of the source text. */
  readonly text: number;
}

/** Reached within 2 s on a slow core; text length after the limits of links. */
export const defaultLimits: Limits = {
  steps: 8_000_000,
  depth: 200,
  cells: 2_000_000,
  characters: 50_000_000,
  bits: 1 << 20,
  output: 1 << 20,
  text: 256_000,
};
