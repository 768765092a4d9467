/** A table with what each class of a variable and of its neighbours adds to the place in it. */
export interface View {
  readonly cost: Float64Array;
  readonly own: Int32Array;
  readonly others: readonly (Int32Array | undefined)[];
}

/** The best class of a variable for each combination of classes of its neighbours. */
export interface Swept {
  readonly cost: Float64Array;
  readonly best: Int32Array;
}

/**
 * Minimises over one variable: for every combination of the neighbours' classes, in row-major
 * order, the least sum of its own cost and of all tables, and the first class that has it (-1 where
 * all are infinite).
 *
 * @param dims classes of each neighbour
 * @param least the variable's own cost by class
 */
export function sweep(dims: readonly number[], views: readonly View[], least: Float64Array): Swept {
  const total = dims.reduce((product, size) => product * size, 1);
  const swept = { cost: new Float64Array(total), best: new Int32Array(total) };
  const run = new Sweep(dims, views, least, swept);
  run.descend(0);
  return swept;
}

class Sweep {
  private readonly dims: readonly number[];
  private readonly views: readonly View[];
  private readonly least: Float64Array;
  private readonly swept: Swept;
  /** By level of neighbours and view: the place in the view that the levels above lead to. */
  private readonly bases: Int32Array;
  private at = 0;

  constructor(dims: readonly number[], views: readonly View[], least: Float64Array, swept: Swept) {
    this.dims = dims;
    this.views = views;
    this.least = least;
    this.swept = swept;
    this.bases = new Int32Array((dims.length + 1) * views.length);
  }

  descend(level: number): void {
    const { dims, views, bases } = this;
    if (level === dims.length) {
      this.minimise(level * views.length);
      return;
    }
    const size = dims[level] ?? 1;
    const from = level * views.length;
    for (let digit = 0; digit < size; digit += 1) {
      for (let v = 0; v < views.length; v += 1) {
        const step = views[v]?.others[level]?.[digit] ?? 0;
        bases[from + views.length + v] = (bases[from + v] ?? 0) + step;
      }
      this.descend(level + 1);
    }
  }

  private minimise(from: number): void {
    const { views, bases } = this;
    const [a, b, c, ...others] = views;
    if (a === undefined || others.length > 0) this.anyNumber(from);
    else if (b === undefined) this.one(a, bases[from] ?? 0);
    else if (c === undefined) this.two(a, bases[from] ?? 0, b, bases[from + 1] ?? 0);
    else this.three(a, b, c, from);
    this.at += 1;
  }

  private one({ cost, own }: View, base: number): void {
    const { least } = this;
    let [price, klass] = [Number.POSITIVE_INFINITY, -1];
    for (let x = 0; x < least.length; x += 1) {
      const sum = (least[x] as number) + (cost[base + (own[x] as number)] as number);
      if (sum < price) {
        price = sum;
        klass = x;
      }
    }
    this.note(price, klass);
  }

  private two(a: View, baseA: number, b: View, baseB: number): void {
    const { least } = this;
    const [costA, ownA, costB, ownB] = [a.cost, a.own, b.cost, b.own];
    let price = Number.POSITIVE_INFINITY;
    let klass = -1;
    for (let x = 0; x < least.length; x += 1) {
      const sum =
        (least[x] as number) +
        (costA[baseA + (ownA[x] as number)] as number) +
        (costB[baseB + (ownB[x] as number)] as number);
      if (sum < price) {
        price = sum;
        klass = x;
      }
    }
    this.note(price, klass);
  }

  private three(a: View, b: View, c: View, from: number): void {
    const { least, bases } = this;
    const [baseA, baseB, baseC] = [bases[from] ?? 0, bases[from + 1] ?? 0, bases[from + 2] ?? 0];
    const [costA, ownA, costB, ownB, costC, ownC] = [a.cost, a.own, b.cost, b.own, c.cost, c.own];
    let price = Number.POSITIVE_INFINITY;
    let klass = -1;
    for (let x = 0; x < least.length; x += 1) {
      const sum =
        (least[x] as number) +
        (costA[baseA + (ownA[x] as number)] as number) +
        (costB[baseB + (ownB[x] as number)] as number) +
        (costC[baseC + (ownC[x] as number)] as number);
      if (sum < price) {
        price = sum;
        klass = x;
      }
    }
    this.note(price, klass);
  }

  private anyNumber(from: number): void {
    const { least, views, bases } = this;
    let [price, klass] = [Number.POSITIVE_INFINITY, -1];
    for (let x = 0; x < least.length; x += 1) {
      let sum = least[x] ?? 0;
      for (let v = 0; v < views.length; v += 1) {
        const view = views[v];
        if (view !== undefined) sum += view.cost[(bases[from + v] ?? 0) + (view.own[x] ?? 0)] ?? 0;
      }
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
