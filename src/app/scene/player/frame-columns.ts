/** The x positions of a frame's columns, from left to right, in pixels. */
export interface FrameColumns {
  readonly width: number;
  /** Width of the blocks before and after. */
  readonly block: number;
  /** Middle of the text between the two columns of blocks. */
  readonly middle: number;
  /** Middle of the plus circles in which received parts are added. */
  readonly plus: number;
  /** Left edge of the blocks after. */
  readonly after: number;
}

/** Least width (px); below it the words no longer fit beside each other. */
const least = 300;

/**
 * Width (px) that suffices for a frame of the least height; a higher frame may be wider by as much.
 */
const most = 388;
const margin = 4;

/**
 * The columns of a frame in the available width.
 *
 * @param room available width in pixels
 * @param higher height of the frame above its minimum, in pixels
 */
export function frameColumns(room: number, higher = 0): FrameColumns {
  const width = Math.min(most + higher, Math.max(least, Math.floor(room)));
  const block = Math.min(120 + Math.floor(higher / 3), Math.floor(width * 0.33));
  const after = width - margin - block;
  const plus = after - 30;
  return { width, block, middle: (block + after) / 2, plus, after };
}
