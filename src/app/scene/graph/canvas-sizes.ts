/** Sizes of everything on the canvas, in CSS pixels. */
export const canvasSizes = {
  card: { width: 300, height: 56 },
  end: { width: 300, height: 44 },
  /** Width of a card in a rank with several cards. */
  abreast: 256,
  /** A stack of equal blocks, with the visible edges of the cards behind. */
  stack: { width: 300, height: 68 },
  /** The head of an open block. */
  head: 26,
  badge: 24,
  /** Height of a tensor's glyph with its words. */
  tensor: 54,
  margin: 12,
} as const;

/** Distances between boxes, in CSS pixels. */
export const space = {
  gap: 14,
  arrow: 14,
  badge: 8,
  line: 12,
  stack: 10,
  under: 4,
  head: 12,
  frame: 10,
  /** Between a card and the glyphs above and below it, in ranks with cards side by side. */
  beside: 12,
} as const;
