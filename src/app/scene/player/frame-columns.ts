/** Where the columns of a frame stand, from left to right, in pixels. */
export interface FrameColumns {
  readonly width: number;
  /** Width of the blocks before and after. */
  readonly block: number;
  /** Middle of what is said between them. */
  readonly middle: number;
  /** Middle of the bytes that travel. */
  readonly bytes: number;
  /** Middle of the circles in which what is received is added. */
  readonly plus: number;
  /** Left edge of the blocks after. */
  readonly after: number;
}

/** Below the least, words would no longer fit beside each other; above the most, nothing is won. */
const [least, most] = [300, 388];
const margin = 4;

/** The columns of a frame in the room that there is. */
export function frameColumns(room: number): FrameColumns {
  const width = Math.min(most, Math.max(least, Math.floor(room)));
  const block = Math.min(120, Math.floor(width * 0.33));
  const after = width - margin - block;
  const plus = after - 30;
  return { width, block, middle: (block + after) / 2, bytes: (block + plus) / 2 + 5, plus, after };
}
