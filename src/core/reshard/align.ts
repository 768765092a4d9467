import { product } from "#core/arithmetic";
import {
  axisPartsOf,
  type DeviceMesh,
  type Layout,
  type Part,
  partStride,
  type ReduceKind,
  sameMesh,
} from "#core/mesh";
import {
  type AxisRadices,
  type Digit,
  empty,
  type Frame,
  onlyRadicesOf,
  type PrimeSubAxis,
  partOf,
  primesOf,
  radicesOf,
  subAxesOf,
  subAxesOfPart,
  subAxisKey,
} from "./prime-sub-axis.ts";

/**
 * The common digits of two layouts, if there are any: every dim is cut evenly, and position by
 * position both sides cut it by the same prime. The layouts may lie on different meshes whose
 * prime pieces are the same maps of the devices. Partials of the target must be partial, with the
 * same kind, in the source.
 */
export function frameOf(from: Layout, to: Layout, shape: readonly number[]): Frame | undefined {
  if (![from, to].every((layout) => isEven(layout, shape))) return undefined;
  for (const { source, target } of waysToCut(from, to)) {
    const rename = renamingOf(from.mesh, source, to.mesh, target);
    if (rename === undefined) continue;
    const sequences = from.dims.map((dim, at): readonly [Sequence, Sequence] => [
      sequenceOf(dim.parts, source, (subAxis) => subAxis),
      sequenceOf(to.dims[at]?.parts ?? [], target, rename),
    ]);
    if (sequences.some(([a, b]) => !isAligned(a, b))) continue;
    if (!hasPartials(from, source, to, target, rename)) continue;
    return buildFrame(from, to, shape, sequences, source, (part) =>
      subAxesOfPart(part, target).map(rename),
    );
  }
  return undefined;
}

function isEven(layout: Layout, shape: readonly number[]): boolean {
  return layout.dims.every((dim, at) => {
    const count = dim.parts.reduce((n, p) => n * (p.kind === "axis" ? p.size : p.count), 1);
    const size = shape[at] ?? 0;
    return size % count === 0 && (dim.sizes?.every((piece) => piece * count === size) ?? true);
  });
}

function waysToCut(
  from: Layout,
  to: Layout,
): readonly { readonly source: AxisRadices; readonly target: AxisRadices }[] {
  const [fromParts, toParts] = [axisPartsOf(from), axisPartsOf(to)];
  if (sameMesh(from.mesh, to.mesh)) {
    const only = onlyRadicesOf(from.mesh);
    if (only !== undefined && isPrimeWise(only, [...fromParts, ...toParts])) {
      return [{ source: only, target: only }];
    }
    const ways = radicesOf(from.mesh, [...fromParts, ...toParts]);
    return ways.map((way) => ({ source: way, target: way }));
  }
  const targets = radicesOf(to.mesh, toParts);
  return radicesOf(from.mesh, fromParts).flatMap((source) =>
    targets.map((target) => ({ source, target })),
  );
}

/** Whether each part consists of whole primes of its axis, as every whole axis does. */
function isPrimeWise(radices: AxisRadices, parts: readonly Part[]): boolean {
  return parts.every((part) => {
    if (part.kind === "pieces") return true;
    const [prime = 1] = radices.get(part.axis) ?? [];
    return isPowerOf(prime, part.before) && isPowerOf(prime, part.size);
  });
}

function isPowerOf(prime: number, value: number): boolean {
  if (prime === 1) return value === 1;
  let rest = value;
  while (rest > 1 && rest % prime === 0) rest /= prime;
  return rest === 1;
}

/**
 * The sub-axis of the source mesh that is the same map of the devices as a sub-axis of the target
 * mesh.
 */
function renamingOf(
  from: DeviceMesh,
  source: AxisRadices,
  to: DeviceMesh,
  target: AxisRadices,
): ((subAxis: PrimeSubAxis) => PrimeSubAxis) | undefined {
  if (sameMesh(from, to)) return (subAxis) => subAxis;
  const [fromOrder, toOrder] = [byDevice(from), byDevice(to)];
  const hasSame = fromOrder.every(
    (at, rank) => from.devices[at] === to.devices[toOrder[rank] ?? 0],
  );
  if (fromOrder.length !== toOrder.length || !hasSame) return undefined;
  const known = new Map(
    subAxesOf(from, source).map((subAxis) => [signatureOf(from, fromOrder, subAxis), subAxis]),
  );
  const renamed = new Map<string, PrimeSubAxis>();
  for (const subAxis of subAxesOf(to, target)) {
    const same = known.get(signatureOf(to, toOrder, subAxis));
    if (same === undefined) return undefined;
    renamed.set(subAxisKey(subAxis), same);
  }
  return (subAxis) => renamed.get(subAxisKey(subAxis)) ?? subAxis;
}

/** The indices of a mesh in the order of its devices' ids. */
function byDevice({ devices }: DeviceMesh): readonly number[] {
  return [...devices.keys()].sort((a, b) => (devices[a] ?? 0) - (devices[b] ?? 0));
}

/** The digits of all devices along a sub-axis, by device. */
function signatureOf(mesh: DeviceMesh, order: readonly number[], subAxis: PrimeSubAxis): string {
  const stride = partStride(mesh, partOf(subAxis));
  return order.map((index) => Math.floor(index / stride) % subAxis.radix).join();
}

function sequenceOf(
  parts: readonly Part[],
  radices: AxisRadices,
  rename: (subAxis: PrimeSubAxis) => PrimeSubAxis,
): Sequence {
  return parts.flatMap((part): Sequence => {
    if (part.kind === "pieces") {
      return primesOf(part.count).map((radix) => ({ radix, subAxis: undefined }));
    }
    return subAxesOfPart(part, radices).map((subAxis) => ({
      radix: subAxis.radix,
      subAxis: rename(subAxis),
    }));
  });
}

function isAligned(a: Sequence, b: Sequence): boolean {
  return a.every((digit, at) => b[at] === undefined || b[at].radix === digit.radix);
}

/** Whether each partial of the target is a partial of the same kind in the source. */
function hasPartials(
  from: Layout,
  source: AxisRadices,
  to: Layout,
  target: AxisRadices,
  rename: (subAxis: PrimeSubAxis) => PrimeSubAxis,
): boolean {
  const held = from.partials.flatMap(({ part, reduce }) =>
    subAxesOfPart(part, source).map((subAxis) => `${reduce} ${subAxisKey(subAxis)}`),
  );
  return to.partials.every(({ part, reduce }) =>
    subAxesOfPart(part, target).every((subAxis) =>
      held.includes(`${reduce} ${subAxisKey(rename(subAxis))}`),
    ),
  );
}

/**
 * The digits into which a layout cuts a dim, major first; without a sub-axis they are held locally.
 */
export type Sequence = readonly {
  readonly radix: number;
  readonly subAxis: PrimeSubAxis | undefined;
}[];

/** The frame of aligned digits; sub-axes that stay where they are on both sides take no part. */
function buildFrame(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  sequences: readonly (readonly [Sequence, Sequence])[],
  radices: AxisRadices,
  targetSubAxes: (part: Part) => readonly PrimeSubAxis[],
): Frame {
  const partials = partialSubAxes(from, radices);
  const wanted = new Set(to.partials.flatMap(({ part }) => targetSubAxes(part)).map(subAxisKey));
  const keptPartials = partials.filter(({ subAxis }) => wanted.has(subAxisKey(subAxis)));
  const kept = new Set([
    ...keptPartials.map(({ subAxis }) => subAxisKey(subAxis)),
    ...sequences.flatMap(([a, b]) => a.filter((digit, at) => isKept(digit, b[at])).map(keyOfDigit)),
  ]);
  const subAxes = subAxesOf(from.mesh, radices).filter((subAxis) => !kept.has(subAxisKey(subAxis)));
  const slotted = fillSlots(sequences, subAxes);
  const all = addSpares(slotted.dims, shape, subAxes, slotted.slotRadices);
  const spares = all.slotRadices.slice(slotted.slotRadices.length).map(() => empty);
  const reduces = subAxes.map(
    (subAxis) =>
      partials.find((partial) => subAxisKey(partial.subAxis) === subAxisKey(subAxis))?.reduce,
  );
  return {
    mesh: from.mesh,
    subAxes,
    ...all,
    spareFrom: slotted.slotRadices.length,
    source: {
      slots: [...slotted.source, ...spares],
      partials: reduces.reduce(
        (bits, kind, at) => (kind === undefined ? bits : bits | (1 << at)),
        0,
      ),
    },
    target: { slots: [...slotted.target, ...spares], partials: 0 },
    reduces,
    keptPartials,
    elements: product(shape) / keptCut(slotted.dims),
  };
}

function partialSubAxes(
  { partials }: Layout,
  radices: AxisRadices,
): readonly { readonly subAxis: PrimeSubAxis; readonly reduce: ReduceKind }[] {
  return partials.flatMap(({ part, reduce }) =>
    subAxesOfPart(part, radices).map((subAxis) => ({ subAxis, reduce })),
  );
}

function isKept(a: Sequence[number], b: Sequence[number] | undefined): boolean {
  return (
    a.subAxis !== undefined &&
    b?.subAxis !== undefined &&
    subAxisKey(a.subAxis) === subAxisKey(b.subAxis)
  );
}

function keyOfDigit({ subAxis }: Sequence[number]): string {
  return subAxis === undefined ? "" : subAxisKey(subAxis);
}

function keptCut(dims: Frame["dims"]): number {
  return dims
    .flat()
    .reduce((n, digit) => (digit.kind === "kept" && digit.subAxis ? n * digit.radix : n), 1);
}

interface Slotted extends Pick<Frame, "dims" | "slotRadices"> {
  readonly source: readonly number[];
  readonly target: readonly number[];
}

/** A slot for every digit that a sub-axis enters or leaves. */
function fillSlots(
  sequences: readonly (readonly [Sequence, Sequence])[],
  subAxes: readonly PrimeSubAxis[],
): Slotted {
  const indices = new Map(subAxes.map((subAxis, index) => [subAxisKey(subAxis), index]));
  const indexOf = (digit: Sequence[number] | undefined) =>
    digit === undefined ? empty : (indices.get(keyOfDigit(digit)) ?? empty);
  const [slotRadices, source, target]: [number[], number[], number[]] = [[], [], []];
  const dims = sequences.map(([a, b]) =>
    (a.length > b.length ? a : b).map(({ radix }, at): Digit => {
      const [first, second] = [a[at], b[at]];
      const isEmpty = first?.subAxis === undefined && second?.subAxis === undefined;
      if (isEmpty || (first !== undefined && isKept(first, second))) {
        return { kind: "kept", radix, subAxis: first?.subAxis };
      }
      source.push(indexOf(first));
      target.push(indexOf(second));
      return { kind: "slot", radix, slot: slotRadices.push(radix) - 1 };
    }),
  );
  return { dims, slotRadices, source, target };
}

/** Appends to the dims slots that neither layout uses, at most as many of a radix as sub-axes. */
function addSpares(
  dims: readonly (readonly Digit[])[],
  shape: readonly number[],
  subAxes: readonly PrimeSubAxis[],
  mainRadices: readonly number[],
): Pick<Frame, "dims" | "slotRadices"> {
  const slotRadices = [...mainRadices];
  const left = new Map<number, number>();
  for (const { radix } of subAxes) left.set(radix, (left.get(radix) ?? 0) + 1);
  const extended = dims.map((digits, at) => {
    const cut = digits.reduce((n, digit) => n * digit.radix, 1);
    const spares = primesOf((shape[at] ?? 0) / cut).filter((radix) => {
      const room = left.get(radix) ?? 0;
      left.set(radix, room - 1);
      return room > 0;
    });
    const added = spares.map(
      (radix): Digit => ({ kind: "slot", radix, slot: slotRadices.push(radix) - 1 }),
    );
    return [...digits, ...added];
  });
  return { dims: extended, slotRadices };
}
