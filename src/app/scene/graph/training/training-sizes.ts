/** Sizes in the lane of a training step, in CSS pixels. */
export const laneSizes = {
  /** The head above each column. */
  head: 30,
  card: { width: 204, height: 56 },
  /** Optimizer state: a small glyph with its name below. */
  state: { width: 62, height: 54 },
  /** Indent of the states relative to their update. */
  stateInset: 18,
  /** Between blocks one above the other. */
  between: 12,
  /** Between a badge and its neighbour: far enough to hit either when drawn at half size. */
  badge: 14,
  /** Horizontal offset per badge away from the card, beside the lines of the other badges. */
  stagger: 16,
  /** Distance from a badge's left edge to its vertical line. */
  leave: 10,
  /**
   * Channel between the forward program and the first line; `line` is the distance between lines.
   */
  channel: 20,
  line: 10,
  tie: 12,
} as const;
