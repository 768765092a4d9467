import { figureTotal, type ModuleFigures, type ModuleMetric } from "#app/scene";

/** A module on a row of the picture, in shares of the whole width. */
export interface ModuleCell {
  readonly node: ModuleFigures;
  readonly row: number;
  readonly left: number;
  readonly width: number;
  /** Its place among the cells; -1 of the whole. */
  readonly parent: number;
  /** How many there are of what it is part of. */
  readonly around: number;
}

/** The modules that have anything of a figure, row by row: each below what it is part of. */
export function moduleCells(
  root: ModuleFigures,
  metric: ModuleMetric,
  mostRows = 5,
): readonly ModuleCell[] {
  const whole = figureTotal(root.figures[metric]);
  if (!(whole > 0)) return [];
  const cells: ModuleCell[] = [];
  const place = (node: ModuleFigures, row: number, left: number, parent: number): void => {
    const at = cells.length;
    const width = figureTotal(node.figures[metric]) / whole;
    cells.push({ node, row, left, width, parent, around: cells[parent]?.node.count ?? 1 });
    let next = left;
    if (row + 1 >= mostRows) return;
    for (const child of node.children) {
      const width = figureTotal(child.figures[metric]) / whole;
      if (width <= 0) continue;
      place(child, row + 1, next, at);
      next += width;
    }
  };
  place(root, 0, 0, -1);
  return cells;
}

/** The name with how many there are of it, where that is not said by what it is part of. */
export function cellName({ name, count }: ModuleFigures, around: number): string {
  return count > 1 && count !== around ? `${name} ×${count}` : name;
}
