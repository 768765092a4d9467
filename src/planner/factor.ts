import type { Table } from "./table.ts";

/** Table of a core, with the costs moved from it to its variables. */
export interface Factor {
  /** Indices of its variables in the core. */
  readonly scope: readonly number[];
  readonly maps: readonly Int32Array[];
  readonly dims: readonly number[];
  readonly cost: Float64Array;
  /** Cost to add to `cost`, per variable and class. */
  readonly moved: readonly Float64Array[];
}

/** A table before any cost is moved; `cost` is finite. */
export function factorOf(
  { scope, maps, dims }: Table,
  cost: Float64Array,
  placeOf: (member: number) => number,
): Factor {
  const moved = dims.map((size) => new Float64Array(size));
  return { scope: scope.map(placeOf), maps, dims, cost, moved };
}

/** The least cost in a table of each class of a variable. */
export function marginalOf({ dims, cost, moved }: Factor, at: number): Float64Array {
  const count = dims[at] ?? 0;
  const least = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const before = sumsOf(moved.slice(0, at));
  const behind = sumsOf(moved.slice(at + 1));
  const inner = behind.length;
  let row = 0;
  for (let outer = 0; outer < before.length; outer += 1) {
    const sum = before[outer] as number;
    for (let klass = 0; klass < count; klass += 1) {
      let found = Number.POSITIVE_INFINITY;
      for (let each = 0; each < inner; each += 1) {
        const price = (cost[row + each] as number) + (behind[each] as number);
        if (price < found) found = price;
      }
      row += inner;
      if (sum + found < (least[klass] as number)) least[klass] = sum + found;
    }
  }
  const own = moved[at];
  for (let klass = 0; klass < count; klass += 1)
    least[klass] = (least[klass] as number) + (own?.[klass] ?? 0);
  return least;
}

/** The sums of one number from each list, in row-major order. */
function sumsOf(lists: readonly Float64Array[]): Float64Array {
  let sums = Float64Array.of(0);
  for (const list of lists) {
    const longer = new Float64Array(sums.length * list.length);
    let at = 0;
    for (const sum of sums) {
      for (const each of list) {
        longer[at] = sum + each;
        at += 1;
      }
    }
    sums = longer;
  }
  return sums;
}

/**
 * Minimum cost for each value of one variable, given the chosen values of the others. A value of
 * -1, or none, leaves a variable free; so is the variable itself.
 */
export function slackOf(factor: Factor, at: number, chosen: readonly number[]): Float64Array {
  const { dims, cost } = factor;
  const least = new Float64Array(dims[at] ?? 0).fill(Number.POSITIVE_INFINITY);
  const ranges = dims.map((size, level) => {
    const klass = level === at ? -1 : chosenAt(factor, level, chosen);
    return klass < 0 ? ([0, size] as const) : ([klass, klass + 1] as const);
  });
  const last = dims.length - 1;
  const visit = (level: number, row: number, sum: number, klass: number): void => {
    const [from, to] = ranges[level] ?? [0, 0];
    const moved = factor.moved[level] as Float64Array;
    const size = dims[level] as number;
    if (level < last) {
      for (let each = from; each < to; each += 1) {
        const own = level === at ? each : klass;
        visit(
          level + 1,
          (row + each) * (dims[level + 1] as number),
          sum + (moved[each] as number),
          own,
        );
      }
      return;
    }
    if (at === last) {
      for (let each = 0; each < size; each += 1) {
        const price = sum + (cost[row + each] as number) + (moved[each] as number);
        if (price < (least[each] as number)) least[each] = price;
      }
      return;
    }
    let found = least[klass] as number;
    for (let each = from; each < to; each += 1) {
      const price = sum + (cost[row + each] as number) + (moved[each] as number);
      if (price < found) found = price;
    }
    least[klass] = found;
  };
  if (dims.length === 0) return least;
  visit(0, 0, 0, 0);
  return least;
}

/** The least own cost of each class of a variable. */
export function leastOf(own: Float64Array, { maps, dims }: Factor, at: number): Float64Array {
  const least = new Float64Array(dims[at] ?? 0).fill(Number.POSITIVE_INFINITY);
  const map = maps[at] ?? new Int32Array();
  for (let value = 0; value < own.length; value += 1) {
    const klass = map[value] as number;
    if ((own[value] as number) < (least[klass] as number)) least[klass] = own[value] as number;
  }
  return least;
}

function chosenAt(factor: Factor, level: number, chosen: readonly number[]): number {
  const value = chosen[factor.scope[level] ?? -1] ?? -1;
  return value < 0 ? -1 : (factor.maps[level]?.[value] ?? -1);
}
