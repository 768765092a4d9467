/** A line along a gap: from a column to others, and out to the lanes at the left. */
export interface Along {
  readonly from: number;
  /** Columns, with how far the line reaches into them. */
  readonly to: readonly number[];
  readonly isLeaving: boolean;
}

/**
 * Gives each line a height, counted from 0 downwards, so that no two at one height meet. Short ones
 * come first, so that they lie above those that reach farther.
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
