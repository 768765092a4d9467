import type { Size } from "#app/scene";

const width = 96;
/** A board that is higher is drawn flatter than it is. */
const heights = { least: 48, most: 160 };

/** How large the minimap of a board is, and what a pixel of the board is on it. */
export function minimapSize(
  board: Size,
): Size & { readonly across: number; readonly down: number } {
  const across = width / Math.max(1, board.width);
  const height = Math.round(Math.min(heights.most, Math.max(heights.least, board.height * across)));
  return { width, height, across, down: height / Math.max(1, board.height) };
}
