import type { DeviceMesh } from "#core/mesh";
import { exactAtoms, primesOf } from "./atom.ts";
import type { AxisState } from "./axis-state.ts";
import { linkOf, type PriceOptions } from "./price-options.ts";
import { linkText } from "./rates.ts";

/** What redistributions share that take the same routes, each in proportion to its elements. */
export interface RouteKey {
  /** Shared by all that ask the same, when nothing is counted. */
  readonly key: string;
  /** Shared by all that a search answers alike, even one that gives up. */
  readonly whole: string;
  /** Elements of the tensor, less those cuts of it that stay as they are. */
  readonly elements: number;
}

/** One dim that is cut by a list of axes and is to be cut by another. */
interface DimChange {
  readonly kept: readonly number[];
  /** How many devices the kept axes have. */
  readonly keptCount: number;
  /** Digits that the longer of the lists takes. */
  readonly digits: number;
  /** A number of both lists by way to name the axes, and of what is left of them. */
  readonly whole: readonly number[];
  readonly left: readonly number[];
}

/**
 * Keys of redistributions between whole axes of a mesh whose sizes are powers of one prime, on even
 * cuts: the same for dims in another order, for equal axes exchanged, and whatever stays as it is.
 * What is told apart is what a search sees (redistribution.md §7.1): where the atoms of each axis
 * stand and are wanted, and how many further places there are.
 */
export class RouteKeys {
  private readonly prime: number;
  private readonly sizes: readonly number[];
  private readonly digits: readonly number[];
  /** Ways to name the axes by each other that keep sizes and links. */
  private readonly namings: readonly (readonly number[])[];
  private readonly changes = new Map<number, DimChange>();
  private readonly multiplicities = new Map<number, number>();

  /** Undefined where the sizes of a mesh are powers of several primes, or its axes are many. */
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
  }

  /** Undefined where the shape is not cut evenly, or the target is partial where the source is not. */
  keyOf(from: AxisState, to: AxisState, shape: readonly number[]): RouteKey | undefined {
    if (to.partials.some((axis) => !from.partials.includes(axis))) return undefined;
    const changes: DimChange[] = [];
    const room: number[] = [];
    let elements = 1;
    let kept = bitsOf(to.partials);
    for (const [dim, size] of shape.entries()) {
      const change = this.changeOf(from.dims[dim] ?? [], to.dims[dim] ?? []);
      const left = this.multiplicity(size) - change.digits;
      if (size < 1 || left < 0) return undefined;
      elements *= size / change.keptCount;
      kept |= bitsOf(change.kept);
      changes.push(change);
      room.push(left);
    }
    const free = [...this.sizes.keys()].filter((axis) => ((kept >> axis) & 1) === 0);
    const atoms = free.reduce((sum, axis) => sum + (this.digits[axis] ?? 0), 0);
    const spares = room.map((left) => Math.min(left, atoms));
    const total = Math.min(
      atoms,
      spares.reduce((sum, each) => sum + each, 0),
    );
    const open = bitsOf(from.partials) & ~kept;
    const key = this.least((way) => {
      const dims = changes.map(({ left }) => left[way] ?? 0).filter((code) => code > 0);
      const sets = [bitsOf(free), open].map((bits) => this.named(bits, way));
      return `${dims.sort(ascending).join()}|${sets.join()}|${total}`;
    });
    if (atoms <= exactAtoms) return { key, whole: key, elements };
    const whole = this.least((way) => {
      const dims = changes.map(
        ({ whole: codes }, at) => 64 * (codes[way] ?? 0) + (spares[at] ?? 0),
      );
      const sets = [bitsOf(from.partials), bitsOf(to.partials)].map((b) => this.named(b, way));
      return `${dims.sort(ascending).join()}|${sets.join()}`;
    });
    return { key, whole: `whole ${whole}`, elements };
  }

  /** The first of the texts of all ways to name the axes. */
  private least(textOf: (way: number) => string): string {
    let best = textOf(0);
    for (let way = 1; way < this.namings.length; way += 1) {
      const text = textOf(way);
      if (text < best) best = text;
    }
    return best;
  }

  private named(bits: number, way: number): number {
    const naming = this.namings[way] ?? [];
    return naming.reduce((set, name, axis) => ((bits >> axis) & 1 ? set | (1 << name) : set), 0);
  }

  private changeOf(a: readonly number[], b: readonly number[]): DimChange {
    const identity = this.namings[0] ?? [];
    const key = this.codeOf(a, b, identity);
    const known = this.changes.get(key) ?? this.newChange(a, b);
    this.changes.set(key, known);
    return known;
  }

  private newChange(a: readonly number[], b: readonly number[]): DimChange {
    const kept = a.filter((axis, at) => {
      const other = b.indexOf(axis);
      return other >= 0 && this.digitsOf(a.slice(0, at)) === this.digitsOf(b.slice(0, other));
    });
    const left = (axes: readonly number[]) => axes.filter((axis) => !kept.includes(axis));
    return {
      kept,
      keptCount: kept.reduce((count, axis) => count * (this.sizes[axis] ?? 1), 1),
      digits: Math.max(this.digitsOf(a), this.digitsOf(b)),
      whole: this.namings.map((naming) => this.codeOf(a, b, naming)),
      left: this.namings.map((naming) => this.codeOf(left(a), left(b), naming)),
    };
  }

  /** A number for two lists of axes, 0 where both are empty. */
  private codeOf(a: readonly number[], b: readonly number[], naming: readonly number[]): number {
    const base = this.sizes.length + 2;
    let code = 0;
    for (const axis of a) code = code * base + (naming[axis] ?? axis) + 1;
    if (b.length === 0) return code;
    code = code * base + base - 1;
    for (const axis of b) code = code * base + (naming[axis] ?? axis) + 1;
    return code;
  }

  private digitsOf(axes: readonly number[]): number {
    return axes.reduce((sum, axis) => sum + (this.digits[axis] ?? 0), 0);
  }

  /** How often the prime divides a size. */
  private multiplicity(size: number): number {
    const known = this.multiplicities.get(size);
    if (known !== undefined) return known;
    let [count, rest] = [0, size];
    while (rest > 0 && rest % this.prime === 0) {
      rest /= this.prime;
      count += 1;
    }
    this.multiplicities.set(size, count);
    return count;
  }
}

/** So many axes of two lists still have a number. */
const mostAxes = 6;

/** Ways to name axes beyond which only their own names are tried. */
const mostNamings = 24;

/** Permutations of places that keep what stands there, the one that changes nothing first. */
function namingsOf(kinds: readonly string[]): readonly (readonly number[])[] {
  let ways: readonly (readonly number[])[] = [[]];
  for (const kind of kinds) {
    ways = ways.flatMap((way) =>
      [...kinds.keys()].flatMap((at) =>
        kinds[at] === kind && !way.includes(at) ? [[...way, at]] : [],
      ),
    );
  }
  return ways.length > mostNamings ? [[...kinds.keys()]] : ways;
}

function bitsOf(axes: readonly number[]): number {
  let bits = 0;
  for (const axis of axes) bits |= 1 << axis;
  return bits;
}

function ascending(a: number, b: number): number {
  return a - b;
}
