/**
 * Resource limits of an evaluation; exceeding one ends it with a diagnostic. Each counts something
 * independent of the machine, so a text always ends at the same place.
 */
export interface Limits {
  /** Evaluation steps: parts of expressions and statements. */
  readonly steps: number;
  /** Nested function calls. */
  readonly depth: number;
  /** Items put into containers, in total. */
  readonly cells: number;
  /** UTF-16 units of all strings made. */
  readonly characters: number;
  /** Bits of one integer. */
  readonly bits: number;
  /** UTF-16 units printed. */
  readonly output: number;
  /** UTF-16 units of the source text. */
  readonly text: number;
}

/**
 * Default limits, reached within 2 s on a slow core; the text length follows the limits of links.
 */
export const defaultLimits: Limits = {
  steps: 8_000_000,
  depth: 200,
  cells: 2_000_000,
  characters: 50_000_000,
  bits: 1 << 20,
  output: 1 << 20,
  text: 256_000,
};
