/** A line between two corners of cells, counted in cells from the upper left. */
export type Line = readonly [x: number, y: number, toX: number, toY: number];

/**
 * The borders of regions of wrong cells: a line wherever a wrong cell has none beside it. Lines
 * that go on are one.
 *
 * @param wrong flat indices of a block with so many columns, row by row
 */
export function wrongOutline(wrong: readonly number[], columns: number): readonly Line[] {
  const cells = new Set(wrong);
  const isWrong = (row: number, column: number) =>
    column >= 0 && column < columns && cells.has(row * columns + column);
  const sorted = wrong.toSorted((a, b) => a - b);
  const places = sorted.map((at) => [Math.floor(at / columns), at % columns] as const);
  const across = places.flatMap(([row, column]) =>
    [row - 1, row + 1].flatMap((beside): readonly Line[] => {
      const y = Math.max(row, beside);
      return isWrong(beside, column) ? [] : [[column, y, column + 1, y]];
    }),
  );
  const down = places.flatMap(([row, column]) =>
    [column - 1, column + 1].flatMap((beside): readonly Line[] => {
      const x = Math.max(column, beside);
      return isWrong(row, beside) ? [] : [[x, row, x, row + 1]];
    }),
  );
  return [...joined(across), ...joined(down)];
}

/** Joins lines of one direction where one ends and another begins. */
function joined(lines: readonly Line[]): readonly Line[] {
  const ending = new Map<string, Line>();
  for (const [x, y, toX, toY] of lines) {
    const isAcross = y === toY;
    // Lines of two touching cells run side by side above, below or beside them: never end to end.
    const before = ending.get(`${isAcross} ${x} ${y}`);
    if (before !== undefined) ending.delete(`${isAcross} ${x} ${y}`);
    ending.set(`${isAcross} ${toX} ${toY}`, [before?.[0] ?? x, before?.[1] ?? y, toX, toY]);
  }
  return [...ending.values()];
}
