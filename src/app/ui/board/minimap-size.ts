import type { Size } from "#app/scene";

const width = 56;
const leastHeight = 48;

/** What a minimap takes of the width, with the room around it. */
export const minimapAside = width + 2 + 2 * 6;

/**
 * How large the minimap of a board is, and what a pixel of the board is on it: one that is higher
 * than there is room is drawn flatter.
 */
export function minimapSize(
  board: Size,
  most: number,
): Size & { readonly across: number; readonly down: number } {
  const across = width / Math.max(1, board.width);
  const height = Math.round(Math.max(leastHeight, Math.min(most, board.height * across)));
  return { width, height, across, down: height / Math.max(1, board.height) };
}
