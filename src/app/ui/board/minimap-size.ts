import type { Size } from "#app/scene";

const width = 56;
const leastHeight = 48;

/** Width of a minimap with its edges and margins, in CSS pixels. */
export const minimapAside = width + 2 + 2 * 6;

/**
 * Size of a board's minimap in CSS pixels, and its scales across and down. A board higher than
 * `most` allows is compressed vertically.
 */
export function minimapSize(
  board: Size,
  most: number,
): Size & { readonly across: number; readonly down: number } {
  const across = width / Math.max(1, board.width);
  const height = Math.round(Math.max(leastHeight, Math.min(most, board.height * across)));
  return { width, height, across, down: height / Math.max(1, board.height) };
}
