import {
  type Figure,
  figureKinds,
  figureTotal,
  type ModuleFigures,
  type ModuleMetric,
} from "#app/scene/figures";
import { sum } from "#core/arithmetic";

/** A module in a row of the picture; left and width are shares of the whole width. */
export interface ModuleCell {
  readonly node: ModuleFigures;
  readonly row: number;
  readonly left: number;
  readonly width: number;
  /** The index of its parent among the cells; -1 for the whole. */
  readonly parent: number;
  /** The number of equal parents. */
  readonly around: number;
}

/** The modules with a share of a figure, row by row, each below its parent. */
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

/**
 * The cells, where neighbours in a row that are narrower than `least` each become one. A thousand
 * operators without modules would be a thousand cells of a third of a pixel, all painted in every
 * frame.
 */
export function withNarrowJoined(
  cells: readonly ModuleCell[],
  metric: ModuleMetric,
  least: number,
): readonly ModuleCell[] {
  const drawn: ModuleCell[] = [];
  const runs = new Map<number, ModuleCell[]>();
  const end = (row: number) => {
    const run = runs.get(row) ?? [];
    runs.delete(row);
    drawn.push(...(run.length > 1 ? [joined(run, metric)] : run));
  };
  for (const cell of cells) {
    const last = runs.get(cell.row)?.at(-1);
    const isBehind = last !== undefined && cell.left - last.left - last.width < least / 100;
    if (last !== undefined && (cell.width >= least || !isBehind)) end(cell.row);
    if (cell.width >= least) drawn.push(cell);
    else runs.set(cell.row, [...(runs.get(cell.row) ?? []), cell]);
  }
  for (const row of runs.keys()) end(row);
  // Sorted so that a parent precedes its children.
  return drawn.sort((a, b) => a.left - b.left || a.row - b.row);
}

/** Cells side by side as one, with the sum of their figures. */
function joined(cells: readonly ModuleCell[], metric: ModuleMetric): ModuleCell {
  const [first] = cells;
  const last = cells.at(-1);
  if (first === undefined || last === undefined) throw new Error("no cells to join");
  const none = { time: {}, bytes: {}, memory: {} };
  const node: ModuleFigures = {
    key: `${first.node.key} to ${last.node.key}`,
    name: `${cells.length} small ones`,
    count: 1,
    figures: { ...none, [metric]: sumOf(cells.map((each) => each.node.figures[metric])) },
    operators: cells.flatMap((each) => each.node.operators),
    children: [],
  };
  return { ...first, node, width: last.left + last.width - first.left, around: 1 };
}

function sumOf(figures: readonly Figure[]): Figure {
  return Object.fromEntries(
    figureKinds.flatMap((kind) => {
      const parts = figures.flatMap((figure) => figure[kind] ?? []);
      return parts.length === 0 ? [] : [[kind, sum(parts)]];
    }),
  );
}

/** The name with its count, unless its parent has the same count. */
export function cellName({ name, count }: ModuleFigures, around: number): string {
  return count > 1 && count !== around ? `${name} ×${count}` : name;
}
