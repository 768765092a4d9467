/** Where the columns of a frame stand, from left to right, in pixels. */
export interface FrameColumns {
  readonly width: number;
  /** Width of the blocks before and after. */
  readonly block: number;
  /** Middle of what is said between them. */
  readonly middle: number;
  /** Middle of the circles in which what is received is added. */
  readonly plus: number;
  /** Left edge of the blocks after. */
  readonly after: number;
}

/** Below the least, words would no longer fit beside each other. */
const least = 300;

/** Above it nothing is won in a frame of the least height; a higher one may be as much wider. */
const most = 388;
const margin = 4;

/**
 * The columns of a frame in the room that there is.
 *
 * @param higher by how many pixels the frame is higher than it has to be
 */
export function frameColumns(room: number, higher = 0): FrameColumns {
  const width = Math.min(most + higher, Math.max(least, Math.floor(room)));
  const block = Math.min(120 + Math.floor(higher / 3), Math.floor(width * 0.33));
  const after = width - margin - block;
  const plus = after - 30;
  return { width, block, middle: (block + after) / 2, plus, after };
}
