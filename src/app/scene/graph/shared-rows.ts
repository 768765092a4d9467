/**
 * A horizontal line in a gap: from one column to others, and possibly out to the lanes at the left.
 */
export interface Along {
  readonly from: number;
  /** Target columns, fractional by how far the line reaches into each. */
  readonly to: readonly number[];
  readonly isLeaving: boolean;
}

/**
 * Assigns each line a height index, counted from 0 downwards, so that lines of one height do not
 * overlap. Short lines come first, so that they lie above longer ones.
 */
export function sharedRows(lines: readonly Along[]): readonly number[] {
  const spans = lines.map(({ from, to, isLeaving }) => ({
    least: isLeaving ? Number.NEGATIVE_INFINITY : Math.min(from, ...to),
    most: Math.max(from, ...to),
  }));
  const order = spans
    .map((span, at) => ({ ...span, at }))
    .sort((a, b) => a.most - a.least - (b.most - b.least) || a.at - b.at);
  const rows: { readonly least: number; readonly most: number }[][] = [];
  const heights = lines.map(() => 0);
  for (const { least, most, at } of order) {
    const free = rows.findIndex((row) =>
      row.every((other) => most < other.least || other.most < least),
    );
    const height = free === -1 ? rows.length : free;
    const row = rows[height] ?? [];
    rows[height] = [...row, { least, most }];
    heights[at] = height;
  }
  return heights;
}
