/** Sizes of what stands in the lane of a training step, in CSS pixels. */
export const laneSizes = {
  /** The head above each column. */
  head: 30,
  card: { width: 204, height: 56 },
  /** What an optimizer keeps: a small glyph with its name below. */
  state: { width: 62, height: 54 },
  /** How far the states stand in from their update. */
  stateInset: 18,
  /** Between cards one above the other. */
  between: 12,
  /** From a badge to what stands next to it: far enough to hit either where half of it is drawn. */
  badge: 14,
  /** Each badge farther from its card stands so much farther left, beside the lines of the others. */
  stagger: 16,
  /** Where a line leaves a badge, from its left end. */
  leave: 10,
  /** From the forward program to the first line, and between lines. */
  channel: 20,
  line: 10,
  tie: 12,
} as const;
