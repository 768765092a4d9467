import { product } from "#core/arithmetic";
import type { StepClasses } from "./classes.ts";
import { HubTable } from "./hub-table.ts";
import type { Grid, Swept } from "./sweep.ts";
import type { Shape } from "./table.ts";

/** The hub table of a reader, if no other of its tables has that hub in its scope. */
export function hubTableOf(variable: number, tables: readonly Shape[]): HubTable | undefined {
  const mine = tables.filter((table) => table instanceof HubTable);
  const found = mine.find(({ scope }) => scope.at(-1) === variable);
  const hub = found?.scope.at(-2);
  const isAlone = tables.every((table) => table === found || !table.scope.includes(hub ?? -1));
  return isAlone ? found : undefined;
}

/**
 * Eliminates a reader next to a hub. Its best use without sharing is computed once, and its best
 * use with sharing once per shared layout. The result equals that of the dense table, in a fraction
 * of the time.
 */
export function besideHub(
  hub: HubTable,
  { scope, own, joints }: { readonly scope: readonly number[] } & StepClasses,
  { least, grids }: { readonly least: Float64Array; readonly grids: readonly Grid[] },
): Swept {
  const dims = joints.map(({ count }) => count);
  const total = product(dims);
  const hubAt = scope.indexOf(hub.scope.at(-2) ?? -1);
  const sourceAt = hub.scope.length > 2 ? scope.indexOf(hub.scope[0] ?? -1) : -1;
  const sourceMap = hub.maps[0] ?? new Int32Array();
  const useMap = hub.maps.at(-1) ?? new Int32Array();
  const pass = new HubPass(hub, {
    uses: Int32Array.from(own.first, (first) => useMap[first] ?? 0),
    hubs: Int32Array.from(joints[hubAt]?.first ?? [], (first) => first),
    sources: Int32Array.from(joints[sourceAt]?.first ?? [0], (first) => sourceMap[first] ?? 0),
    ...{ dims, grids, least, hubAt, sourceAt, total },
  });
  return pass.run();
}

interface PassOptions {
  /**
   * For each class: the use of the reader (`uses`), the value of the hub, and the row of the
   * source.
   */
  readonly uses: Int32Array;
  readonly hubs: Int32Array;
  readonly sources: Int32Array;
  readonly dims: readonly number[];
  readonly grids: readonly Grid[];
  readonly least: Float64Array;
  /** Levels of the hub and of the source among the neighbours; -1 without one. */
  readonly hubAt: number;
  readonly sourceAt: number;
  readonly total: number;
}

/** The best class and its price, per layout (or pair of layouts) that a reader shares with the hub. */
class Bests {
  readonly price: Float64Array;
  readonly klass: Int32Array;

  constructor(count: number) {
    this.price = new Float64Array(count);
    this.klass = new Int32Array(count);
  }

  clear(): void {
    this.price.fill(Number.POSITIVE_INFINITY);
    this.klass.fill(-1);
  }

  offer(at: number, price: number, klass: number): void {
    if (price >= (this.price[at] as number)) return;
    this.price[at] = price;
    this.klass[at] = klass;
  }
}

class HubPass {
  private readonly options: PassOptions;
  private readonly hub: HubTable;
  /**
   * For each use, the number of the layout that it reads, and of its gradient's (-1 without one).
   */
  private readonly readOf: Int32Array;
  private readonly gradientOf: Int32Array;
  /** For each value of the hub: the ids of its layouts, and the use that shares both. */
  private readonly hubRead: Int32Array;
  private readonly hubGradient: Int32Array;
  private readonly hubUse: Int32Array;
  private readonly alone = new Bests(1);
  private readonly byRead: Bests;
  private readonly byGradient: Bests;
  private readonly byUse: Bests;
  private readonly sums: Float64Array;

  constructor(hub: HubTable, options: PassOptions) {
    this.hub = hub;
    this.options = options;
    const { reads, gradients, hub: values } = hub.shape;
    const readNumbers = numbersOf(reads);
    const gradientNumbers = numbersOf(gradients.filter((state) => state >= 0));
    const numbered = (states: Int32Array, numbers: ReadonlyMap<number, number>) =>
      states.map((state) => numbers.get(state) ?? -1);
    this.readOf = numbered(reads, readNumbers);
    this.gradientOf = numbered(gradients, gradientNumbers);
    this.hubRead = numbered(values.reads, readNumbers);
    this.hubGradient = numbered(values.gradients, gradientNumbers);
    const uses = new Map([...reads.keys()].map((use) => [`${reads[use]} ${gradients[use]}`, use]));
    this.hubUse = values.reads.map((read, at) => uses.get(`${read} ${values.gradients[at]}`) ?? -1);
    this.byRead = new Bests(readNumbers.size);
    this.byGradient = new Bests(gradientNumbers.size);
    this.byUse = new Bests(reads.length);
    this.sums = new Float64Array(options.least.length);
  }

  run(): Swept {
    const { dims, hubAt, sourceAt, total, sources } = this.options;
    const cost = new Float64Array(total);
    const best = new Int32Array(total);
    const strides = dims.map((_, at) => product(dims.slice(at + 1)));
    const digits = new Int32Array(dims.length);
    const step = strides[hubAt] ?? 1;
    for (let at = 0; at < total; at += 1) {
      if ((digits[hubAt] ?? 0) === 0) {
        this.sum(digits);
        this.look(sources[digits[sourceAt] ?? 0] ?? 0);
        this.note(cost, best, at, step);
      }
      advance(digits, dims);
    }
    return { cost, best };
  }

  /** The cost of each class from all tables but the hub's. */
  private sum(digits: Int32Array): void {
    const { least, grids } = this.options;
    const { sums } = this;
    sums.set(least);
    for (const { cost, strides } of grids) {
      let row = 0;
      for (let level = 0; level < digits.length; level += 1)
        row += (digits[level] as number) * (strides[level] as number);
      for (let x = 0; x < sums.length; x += 1)
        sums[x] = (sums[x] as number) + (cost[row + x] as number);
    }
  }

  private look(source: number): void {
    const { own, readShared, gradientShared, shared } = this.hub.costs;
    const { alone, byRead, byGradient, byUse, sums, readOf, gradientOf } = this;
    const { uses } = this.options;
    for (const each of [alone, byRead, byGradient, byUse]) each.clear();
    const row = source * readOf.length;
    for (let x = 0; x < sums.length; x += 1) {
      const price = sums[x] as number;
      const use = uses[x] as number;
      alone.offer(0, price + (own[row + use] as number), x);
      byRead.offer(readOf[use] as number, price + (readShared[row + use] as number), x);
      const gradient = gradientOf[use] as number;
      if (gradient < 0) continue;
      byGradient.offer(gradient, price + (gradientShared[row + use] as number), x);
      byUse.offer(use, price + (shared[use] as number), x);
    }
  }

  /** Writes the best price and class for every class of the hub. */
  private note(cost: Float64Array, best: Int32Array, start: number, step: number): void {
    const { alone, byRead, byGradient, byUse, hubRead, hubGradient, hubUse } = this;
    const { hubs } = this.options;
    for (let digit = 0; digit < hubs.length; digit += 1) {
      const hub = hubs[digit] as number;
      let price = alone.price[0] as number;
      let klass = alone.klass[0] as number;
      const take = (bests: Bests, at: number) => {
        if (at < 0 || !((bests.price[at] as number) < price)) return;
        price = bests.price[at] as number;
        klass = bests.klass[at] as number;
      };
      take(byRead, hubRead[hub] as number);
      take(byGradient, hubGradient[hub] as number);
      take(byUse, hubUse[hub] as number);
      cost[start + digit * step] = price;
      best[start + digit * step] = klass;
    }
  }
}

function numbersOf(states: Int32Array): ReadonlyMap<number, number> {
  return new Map([...new Set(states)].map((state, at) => [state, at]));
}

/** Advances to the next combination, the last digit first. */
function advance(digits: Int32Array, dims: readonly number[]): void {
  for (let level = dims.length - 1; level >= 0; level -= 1) {
    digits[level] = (digits[level] as number) + 1;
    if ((digits[level] as number) < (dims[level] as number)) return;
    digits[level] = 0;
  }
}
