import { product } from "#core/arithmetic";

/** A table with the index steps of a variable's classes and of its neighbours' classes. */
export interface View {
  readonly cost: Float64Array;
  readonly own: Int32Array;
  readonly others: readonly (Int32Array | undefined)[];
}

/** A table laid out for one variable: its classes lie next to each other, row after row. */
export interface Grid {
  readonly cost: Float64Array;
  /** Stride between the classes of each level of neighbours. */
  readonly strides: Int32Array;
}

/** The best class of a variable for each combination of classes of its neighbours. */
export interface Swept {
  readonly cost: Float64Array;
  readonly best: Int32Array;
}

/**
 * A table as rows of one variable's classes, one row per combination of the neighbours in the
 * table.
 *
 * @param dims number of classes of each neighbour
 * @param count number of classes of the variable
 */
export function gridOf({ cost, own, others }: View, dims: readonly number[], count: number): Grid {
  const strides = new Int32Array(dims.length);
  let size = count;
  let liesSo = isCounting(own, 1);
  for (let level = dims.length - 1; level >= 0; level -= 1) {
    const steps = others[level];
    if (steps === undefined) continue;
    liesSo = liesSo && isCounting(steps, size);
    strides[level] = size;
    size *= steps.length;
  }
  if (liesSo) return { cost, strides };
  const rows = others.reduceRight<Int32Array>(
    (all, steps) => (steps === undefined ? all : combined(steps, all)),
    Int32Array.of(0),
  );
  const grid = new Float64Array(size);
  let at = 0;
  for (const row of rows) {
    for (let x = 0; x < count; x += 1) {
      grid[at] = cost[row + (own[x] as number)] as number;
      at += 1;
    }
  }
  return { cost: grid, strides };
}

/** Whether the values are the multiples of a step, from 0 on. */
function isCounting(steps: Int32Array, step: number): boolean {
  for (let at = 0; at < steps.length; at += 1) if (steps[at] !== at * step) return false;
  return true;
}

/** The sum of every step with every row. */
function combined(steps: Int32Array, rows: Int32Array): Int32Array<ArrayBuffer> {
  const all = new Int32Array(steps.length * rows.length);
  let at = 0;
  for (const step of steps) {
    for (const row of rows) {
      all[at] = step + row;
      at += 1;
    }
  }
  return all;
}

/**
 * Minimises over one variable: for every combination of the neighbours' classes, in row-major
 * order, the least sum of its own cost and of all tables, and the first class that has it (-1 where
 * all are infinite).
 *
 * @param dims classes of each neighbour
 * @param least the variable's own cost by class
 */
export function sweep(dims: readonly number[], grids: readonly Grid[], least: Float64Array): Swept {
  const total = product(dims);
  const swept = { cost: new Float64Array(total), best: new Int32Array(total) };
  new Sweep(dims, grids, least, swept).descend(0);
  return swept;
}

class Sweep {
  private readonly dims: readonly number[];
  private readonly grids: readonly Grid[];
  private readonly swept: Swept;
  /** Row of each grid that the levels above determine, per level and grid. */
  private readonly rows: Int32Array;
  /** Sums of the own cost and of all grids that deeper levels do not change, per level. */
  private readonly sums: readonly Float64Array[];
  /** Grids whose last neighbour is at the level; level 0 also has those without neighbours. */
  private readonly settledAt: readonly (readonly number[])[];
  private at = 0;

  constructor(dims: readonly number[], grids: readonly Grid[], least: Float64Array, swept: Swept) {
    this.dims = dims;
    this.grids = grids;
    this.swept = swept;
    this.rows = new Int32Array((dims.length + 1) * grids.length);
    this.sums = [least, ...dims.map(() => new Float64Array(least.length))];
    this.settledAt = [...dims.keys(), dims.length].map((level) =>
      [...grids.keys()].filter((grid) => lastLevel(grids[grid]) === level),
    );
  }

  descend(level: number): void {
    const { dims, grids, rows } = this;
    this.settle(level);
    if (level === dims.length) {
      this.at += 1;
      return;
    }
    if (level === dims.length - 1 && this.minimiseRows(level)) return;
    const size = dims[level] as number;
    const from = level * grids.length;
    for (let digit = 0; digit < size; digit += 1) {
      for (let grid = 0; grid < grids.length; grid += 1) {
        const step = (grids[grid] as Grid).strides[level] as number;
        rows[from + grids.length + grid] = (rows[from + grid] as number) + digit * step;
      }
      this.descend(level + 1);
    }
  }

  /** Adds the grids that are determined at this level; at the last one it finds the least. */
  private settle(level: number): void {
    const { grids, rows, sums } = this;
    const own = this.settledAt[level] as readonly number[];
    const isLast = level === this.dims.length;
    let from = sums[Math.max(0, level - 1)] as Float64Array;
    const into = sums[level] as Float64Array;
    const plain = isLast && own.length > 0 ? own.length - 1 : own.length;
    for (let n = 0; n < plain; n += 1) {
      const grid = own[n] as number;
      added(from, (grids[grid] as Grid).cost, rows[level * grids.length + grid] as number, into);
      from = into;
    }
    if (!isLast) {
      if (plain === 0 && from !== into) into.set(from);
      return;
    }
    const grid = own[plain];
    if (grid === undefined) this.minimise(from);
    else {
      const row = rows[level * grids.length + grid] as number;
      this.minimiseWith(from, (grids[grid] as Grid).cost, row);
    }
  }

  /**
   * Handles the last level if a single grid is left to add there, as in most cases; most of the
   * time is spent here. Returns false otherwise.
   */
  private minimiseRows(level: number): boolean {
    const [grid = -1, ...others] = this.settledAt[level + 1] as readonly number[];
    const { cost, strides } = this.grids[grid] ?? noGrid;
    if (grid < 0 || others.length > 0) return false;
    const { swept } = this;
    const sums = this.sums[level] as Float64Array;
    const count = sums.length;
    const [size, step] = [this.dims[level] as number, strides[level] as number];
    let row = this.rows[level * this.grids.length + grid] as number;
    for (let digit = 0; digit < size; digit += 1) {
      let price = Number.POSITIVE_INFINITY;
      let klass = -1;
      for (let x = 0; x < count; x += 1) {
        const sum = (sums[x] as number) + (cost[row + x] as number);
        if (sum < price) {
          price = sum;
          klass = x;
        }
      }
      swept.cost[this.at] = price;
      swept.best[this.at] = klass;
      this.at += 1;
      row += step;
    }
    return true;
  }

  private minimise(sums: Float64Array): void {
    let [price, klass] = [Number.POSITIVE_INFINITY, -1];
    for (let x = 0; x < sums.length; x += 1) {
      const sum = sums[x] as number;
      if (sum < price) {
        price = sum;
        klass = x;
      }
    }
    this.note(price, klass);
  }

  private minimiseWith(sums: Float64Array, cost: Float64Array, row: number): void {
    let price = Number.POSITIVE_INFINITY;
    let klass = -1;
    for (let x = 0; x < sums.length; x += 1) {
      const sum = (sums[x] as number) + (cost[row + x] as number);
      if (sum < price) {
        price = sum;
        klass = x;
      }
    }
    this.note(price, klass);
  }

  private note(price: number, klass: number): void {
    this.swept.cost[this.at] = price;
    this.swept.best[this.at] = klass;
  }
}

const noGrid: Grid = { cost: new Float64Array(), strides: new Int32Array() };

/** The level at which the row of a grid is determined. */
function lastLevel(grid: Grid | undefined): number {
  let last = 0;
  for (const [level, stride] of (grid?.strides ?? []).entries()) if (stride > 0) last = level + 1;
  return last;
}

function added(from: Float64Array, cost: Float64Array, row: number, into: Float64Array): void {
  for (let x = 0; x < into.length; x += 1) {
    into[x] = (from[x] as number) + (cost[row + x] as number);
  }
}
