import type { DeviceMesh } from "#core/mesh";
import { bitsOf, namingsOf } from "./axis-namings.ts";
import type { AxisState } from "./axis-state.ts";
import { exactSubAxes, primesOf } from "./prime-sub-axis.ts";
import { linkOf, linkText, type PriceOptions } from "./rates.ts";

/** The key of redistributions that have the same routes, in proportion to their elements. */
export interface RouteKey {
  /** Equal for redistributions with the same routes, provided that the search does not give up. */
  readonly key: number | string;
  /** Equal for redistributions for which even a search that gives up finds the same routes. */
  readonly whole: number | string;
  /** Elements of the tensor, divided by the cuts common to both layouts. */
  readonly elements: number;
}

/** A dim with the axes that cut it before and after. */
interface DimChange {
  /** The axes that stay, as bits, and the product of their sizes. */
  readonly kept: number;
  readonly keptCount: number;
  /** Digits of the longer list. */
  readonly digits: number;
  /**
   * Per renaming of the axes: the number of the pair of lists, and of the pair without kept axes.
   */
  readonly whole: readonly number[];
  readonly left: readonly number[];
}

/** A layout as numbers: the number of each dim's list of axes, and the partial axes as bits. */
interface Digest {
  readonly lists: readonly number[];
  readonly partials: number;
}

/**
 * Keys of redistributions by whole mesh axes whose sizes are powers of one prime, on even cuts. A
 * key ignores the order of dims, the choice among equal axes, and unchanged cuts. It contains all
 * that a search depends on (redistribution.md §7.1): the positions of each axis' sub-axes in source
 * and target, and the number of spare slots.
 */
export class RouteKeys {
  private readonly prime: number;
  private readonly sizes: readonly number[];
  private readonly digits: readonly number[];
  /**
   * Renamings of the axes that keep sizes and links, and the image of every set of axes under each.
   */
  private readonly namings: readonly (readonly number[])[];
  private readonly named: readonly (readonly number[])[];
  /** Digits of all axes of a set. */
  private readonly digitsIn: readonly number[];
  private readonly lists: (readonly number[])[] = [];
  private readonly listNumbers = new Map<number, number>();
  private readonly digests = new WeakMap<AxisState, Digest>();
  private readonly changes: (DimChange | undefined)[][] = [];
  /** Numbers of pairs of lists, 0 where both are empty. */
  private readonly pairs = new Map<number, number>([[0, 0]]);
  private readonly powers = new WeakMap<readonly number[], readonly number[]>();
  private readonly found: DimChange[] = [];
  private readonly codes: number[] = [];

  /**
   * `undefined` where axis sizes are powers of different primes, or there are more than `mostAxes`.
   */
  static of({ axes, devices }: DeviceMesh, price: PriceOptions): RouteKeys | undefined {
    const primes = new Set(axes.flatMap(({ size }) => primesOf(size)));
    const [prime = 2, ...others] = primes;
    if (others.length > 0 || axes.length > mostAxes || devices.length === 0) return undefined;
    const mesh = { axes, devices };
    const kinds = axes.map(({ name, size }) => `${size} ${linkText(linkOf(mesh, name, price))}`);
    return new RouteKeys(
      prime,
      axes.map(({ size }) => size),
      namingsOf(kinds),
    );
  }

  private constructor(
    prime: number,
    sizes: readonly number[],
    namings: readonly (readonly number[])[],
  ) {
    this.prime = prime;
    this.sizes = sizes;
    this.digits = sizes.map((size) => primesOf(size).length);
    this.namings = namings;
    const sets = Array.from({ length: 1 << sizes.length }, (_, set) =>
      [...sizes.keys()].filter((axis) => (set >> axis) & 1),
    );
    this.named = namings.map((naming) =>
      sets.map((axes) => bitsOf(axes.map((axis) => naming[axis] ?? axis))),
    );
    this.digitsIn = sets.map((axes) => this.digitsOf(axes));
  }

  /**
   * The key; `undefined` if the shape is not cut evenly, or the target has a partial that the
   * source lacks.
   */
  keyOf(from: AxisState, to: AxisState, shape: readonly number[]): RouteKey | undefined {
    const [a, b] = [this.digestOf(from), this.digestOf(to)];
    if ((b.partials & ~a.partials) !== 0) return undefined;
    const powers = this.powersOf(shape);
    const { found } = this;
    let [elements, kept, room] = [1, b.partials, 0];
    for (let dim = 0; dim < powers.length; dim += 1) {
      const change = this.changeOf(a.lists[dim] as number, b.lists[dim] as number);
      const left = (powers[dim] as number) - change.digits;
      if (left < 0) return undefined;
      found[dim] = change;
      elements *= (shape[dim] as number) / change.keptCount;
      kept |= change.kept;
      room += left;
    }
    found.length = powers.length;
    const free = (this.digitsIn.length - 1) & ~kept;
    const open = a.partials & ~kept;
    const subAxes = this.digitsIn[free] as number;
    const key = this.leastKey(free, open, Math.min(subAxes, room));
    if (subAxes <= exactSubAxes) return { key, whole: key, elements };
    return { key, whole: this.wholeKey(a, b, powers, subAxes), elements };
  }

  /** The least key over all renamings of the axes; a text where a number has too few digits. */
  private leastKey(free: number, open: number, total: number): number | string {
    let best = Number.POSITIVE_INFINITY;
    for (let way = 0; way < this.namings.length; way += 1) {
      const codes = this.codesBy(way);
      const sets = this.named[way] as readonly number[];
      const isLong = codes.length > mostCodes || (codes.at(-1) ?? 0) >= codeBase;
      if (isLong || total >= totalBase) return this.leastText(free, open, total);
      let key = 0;
      for (let at = 0; at < codes.length; at += 1) key = key * codeBase + (codes[at] as number);
      key = (key * sets.length + (sets[free] as number)) * sets.length + (sets[open] as number);
      key = key * totalBase + total;
      if (key < best) best = key;
    }
    return best;
  }

  /** The numbers of the changed dims without kept axes under one renaming, in ascending order. */
  private codesBy(way: number): readonly number[] {
    const { codes, found } = this;
    codes.length = 0;
    for (let dim = 0; dim < found.length; dim += 1) {
      const code = (found[dim] as DimChange).left[way] as number;
      if (code === 0) continue;
      let at = codes.push(code) - 1;
      while (at > 0 && (codes[at - 1] as number) > code) {
        codes[at] = codes[at - 1] as number;
        at -= 1;
      }
      codes[at] = code;
    }
    return codes;
  }

  private leastText(free: number, open: number, total: number): string {
    return this.least((way) => {
      const sets = [free, open].map((set) => this.named[way]?.[set]);
      return `${this.codesBy(way).join()}|${sets.join()}|${total}`;
    });
  }

  private wholeKey(a: Digest, b: Digest, powers: readonly number[], subAxes: number): string {
    const text = this.least((way) => {
      const dims = this.found.map(({ whole, digits }, at) => {
        const spare = Math.min((powers[at] ?? 0) - digits, subAxes);
        return 64 * (whole[way] ?? 0) + spare;
      });
      const sets = [a, b].map(({ partials }) => this.named[way]?.[partials]);
      return `${dims.sort(ascending).join()}|${sets.join()}`;
    });
    return `whole ${text}`;
  }

  /** The least text over all renamings of the axes. */
  private least(textOf: (way: number) => string): string {
    let best = textOf(0);
    for (let way = 1; way < this.namings.length; way += 1) {
      const text = textOf(way);
      if (text < best) best = text;
    }
    return best;
  }

  private digestOf(state: AxisState): Digest {
    const known = this.digests.get(state);
    if (known !== undefined) return known;
    const lists = state.dims.map((axes) => this.listOf(axes));
    const digest = { lists, partials: bitsOf(state.partials) };
    this.digests.set(state, digest);
    return digest;
  }

  /** A number for a list of axes. */
  private listOf(axes: readonly number[]): number {
    const code = axes.reduce((sum, axis) => sum * (mostAxes + 1) + axis + 1, 0);
    const number = this.listNumbers.get(code) ?? this.lists.push(axes) - 1;
    this.listNumbers.set(code, number);
    return number;
  }

  private changeOf(a: number, b: number): DimChange {
    let row = this.changes[a];
    if (row === undefined) {
      row = [];
      this.changes[a] = row;
    }
    const known = row[b];
    if (known !== undefined) return known;
    const change = this.newChange(this.lists[a] ?? [], this.lists[b] ?? []);
    row[b] = change;
    return change;
  }

  private newChange(a: readonly number[], b: readonly number[]): DimChange {
    const kept = a.filter((axis, at) => {
      const other = b.indexOf(axis);
      return other >= 0 && this.digitsOf(a.slice(0, at)) === this.digitsOf(b.slice(0, other));
    });
    const left = (axes: readonly number[]) => axes.filter((axis) => !kept.includes(axis));
    return {
      kept: bitsOf(kept),
      keptCount: kept.reduce((count, axis) => count * (this.sizes[axis] ?? 1), 1),
      digits: Math.max(this.digitsOf(a), this.digitsOf(b)),
      whole: this.namings.map((naming) => this.pairOf(a, b, naming)),
      left: this.namings.map((naming) => this.pairOf(left(a), left(b), naming)),
    };
  }

  /** A number for two lists of axes, 0 where both are empty. */
  private pairOf(a: readonly number[], b: readonly number[], naming: readonly number[]): number {
    const base = mostAxes + 2;
    const codeOf = (axes: readonly number[], start: number) =>
      axes.reduce((code, axis) => code * base + (naming[axis] ?? axis) + 1, start);
    const first = codeOf(a, 0);
    const code = b.length === 0 ? first : codeOf(b, first * base + base - 1);
    const number = this.pairs.get(code) ?? this.pairs.size;
    this.pairs.set(code, number);
    return number;
  }

  private digitsOf(axes: readonly number[]): number {
    return axes.reduce((sum, axis) => sum + (this.digits[axis] ?? 0), 0);
  }

  /** How often the prime divides each size of a shape; -1 for size 0. */
  private powersOf(shape: readonly number[]): readonly number[] {
    const known = this.powers.get(shape);
    if (known !== undefined) return known;
    const powers = shape.map((size) => (size < 1 ? -1 : this.multiplicity(size)));
    this.powers.set(shape, powers);
    return powers;
  }

  private multiplicity(size: number): number {
    let [count, rest] = [0, size];
    while (rest % this.prime === 0) {
      rest /= this.prime;
      count += 1;
    }
    return count;
  }
}

/**
 * A key is a number for at most `mostCodes` changed dims: a digit to the base `codeBase` for each,
 * and a last one to the base `totalBase`.
 */
const mostCodes = 4;
const codeBase = 512;
const totalBase = 32;

/** Largest number of axes for which lists are numbered. */
const mostAxes = 6;

function ascending(a: number, b: number): number {
  return a - b;
}
