import type { AxisName, DeviceMesh, Part, ReduceKind } from "#core/mesh";

/**
 * A prime factor of a mesh axis as a digit of device coordinates; `before` is the product of the
 * more major factors.
 */
export interface PrimeSubAxis {
  readonly axis: AxisName;
  readonly before: number;
  readonly radix: number;
}

/** One way to cut every axis of a mesh into prime pieces, by axis name, major first. */
export type AxisRadices = ReadonlyMap<AxisName, readonly number[]>;

/** The most changing sub-axes for an exact search. */
export const exactSubAxes = 6;

/** Prime factors in ascending order; empty for 1. */
export function primesOf(value: number): readonly number[] {
  const primes: number[] = [];
  let rest = value;
  for (let prime = 2; prime * prime <= rest; prime++) {
    while (rest % prime === 0) {
      primes.push(prime);
      rest /= prime;
    }
  }
  if (rest > 1) primes.push(rest);
  return primes;
}

/** Different orders of a list of primes, in lexicographic order. */
function ordersOf(primes: readonly number[]): readonly (readonly number[])[] {
  if (primes.length === 0) return [[]];
  return [...new Set(primes)].flatMap((first) => {
    const at = primes.indexOf(first);
    const rest = [...primes.slice(0, at), ...primes.slice(at + 1)];
    return ordersOf(rest).map((order) => [first, ...order]);
  });
}

/**
 * The ways to cut the axes of a mesh into primes so that every named part is a run of them: an axis
 * of 6 is 2·3 or 3·2. Empty when two parts have no common refinement; at most `limit` ways.
 */
export function radicesOf(
  mesh: DeviceMesh,
  parts: readonly Part[],
  limit = 64,
): readonly AxisRadices[] {
  const perAxis = mesh.axes.map(({ name, size }) => {
    const edges = parts.flatMap((part) =>
      part.kind === "axis" && part.axis === name ? [part.before, part.before * part.size] : [],
    );
    const orders = ordersOf(primesOf(size)).filter((order) => {
      const products = productsOf(order);
      return edges.every((edge) => products.includes(edge));
    });
    return orders.map((order) => [name, order] as const);
  });
  const ways = perAxis.reduce<(readonly (readonly [AxisName, readonly number[]])[])[]>(
    (done, orders) => done.flatMap((way) => orders.map((order) => [...way, order])).slice(0, limit),
    [[]],
  );
  return ways.map((way) => new Map(way));
}

/**
 * The axes cut only at the edges of named parts; `undefined` if these edges do not divide each
 * other in turn.
 */
export function coarseRadicesOf(mesh: DeviceMesh, parts: readonly Part[]): AxisRadices | undefined {
  const ways = mesh.axes.map(({ name, size }) => {
    const edges = parts.flatMap((part) =>
      part.kind === "axis" && part.axis === name ? [part.before, part.before * part.size] : [],
    );
    const stops = [...new Set([1, ...edges, size])].sort((a, b) => a - b);
    const factors = stops.slice(1).map((stop, at) => stop / (stops[at] ?? 1));
    return [name, factors] as const;
  });
  return ways.every(([, factors]) => factors.every(Number.isInteger)) ? new Map(ways) : undefined;
}

/**
 * The cut of a mesh's axes into primes, if each axis has one prime only, so that there is one way.
 */
export function onlyRadicesOf(mesh: DeviceMesh): AxisRadices | undefined {
  const known = onlyRadices.get(mesh);
  if (known !== undefined) return known ?? undefined;
  const all = mesh.axes.map(({ name, size }) => [name, primesOf(size)] as const);
  const isOnly = all.every(([, primes]) => primes.every((prime) => prime === primes[0]));
  const radices = isOnly ? new Map(all) : null;
  onlyRadices.set(mesh, radices);
  return radices ?? undefined;
}

const onlyRadices = new WeakMap<DeviceMesh, AxisRadices | null>();

/** All sub-axes of a mesh, in mesh order, major first. */
export function subAxesOf(mesh: DeviceMesh, radices: AxisRadices): readonly PrimeSubAxis[] {
  return mesh.axes.flatMap(({ name }) => subAxesOfAxis(name, radices));
}

/** The sub-axes of a part, major first. */
export function subAxesOfPart(part: Part, radices: AxisRadices): readonly PrimeSubAxis[] {
  if (part.kind === "pieces") return [];
  const end = part.before * part.size;
  return subAxesOfAxis(part.axis, radices).filter(
    (subAxis) => subAxis.before >= part.before && subAxis.before < end,
  );
}

function subAxesOfAxis(axis: AxisName, radices: AxisRadices): readonly PrimeSubAxis[] {
  const subAxes = subAxesByAxis.get(radices) ?? new Map<AxisName, readonly PrimeSubAxis[]>();
  subAxesByAxis.set(radices, subAxes);
  const known = subAxes.get(axis);
  if (known !== undefined) return known;
  const order = radices.get(axis) ?? [];
  const products = productsOf(order);
  const made = order.map((radix, at) => ({ axis, before: products[at] ?? 1, radix }));
  subAxes.set(axis, made);
  return made;
}

const subAxesByAxis = new WeakMap<AxisRadices, Map<AxisName, readonly PrimeSubAxis[]>>();

/** 1 and the running products of a list. */
function productsOf(factors: readonly number[]): readonly number[] {
  let product = 1;
  return [
    1,
    ...factors.map((factor) => {
      product *= factor;
      return product;
    }),
  ];
}

/**
 * One digit of a dim's index: fixed for the whole plan, or a slot that sub-axes enter and leave.
 */
export type Digit =
  | { readonly kind: "kept"; readonly radix: number; readonly subAxis: PrimeSubAxis | undefined }
  | { readonly kind: "slot"; readonly radix: number; readonly slot: number };

/**
 * The sub-axis in every slot (an index of `subAxes`, or `empty`), and the set of partial sub-axes.
 */
export interface State {
  readonly slots: readonly number[];
  /** Bit i is set when sub-axis i is partial. */
  readonly partials: number;
}

/** The sub-axis index of an empty slot. */
export const empty = -1;

/**
 * Two layouts of one tensor in common digits (redistribution.md §7.1). Sub-axes that have the same
 * slot on both sides, or are partial on both, are left out.
 */
export interface Frame {
  readonly mesh: DeviceMesh;
  readonly subAxes: readonly PrimeSubAxis[];
  /** Digits of each dim, most major first; the remaining index is local. */
  readonly dims: readonly (readonly Digit[])[];
  /** The radix of every slot; those from `spareFrom` on are in neither layout. */
  readonly slotRadices: readonly number[];
  readonly spareFrom: number;
  readonly source: State;
  readonly target: State;
  /** The reduction of each partial sub-axis. */
  readonly reduces: readonly (ReduceKind | undefined)[];
  readonly keptPartials: readonly { readonly subAxis: PrimeSubAxis; readonly reduce: ReduceKind }[];
  /** Elements of the tensor, divided by the radices of the digits that stay. */
  readonly elements: number;
}

/** A sub-axis as a part of its mesh. */
export function partOf(subAxis: PrimeSubAxis): Extract<Part, { kind: "axis" }> {
  return { kind: "axis", axis: subAxis.axis, before: subAxis.before, size: subAxis.radix };
}

/** Key of a sub-axis, unique within one mesh. */
export function subAxisKey(subAxis: PrimeSubAxis): string {
  return `${subAxis.axis}:${subAxis.before}`;
}
