import {
  axisPartsOf,
  type DeviceMesh,
  type Layout,
  type Part,
  partStride,
  sameMesh,
} from "#core/mesh";
import { buildFrame, type Sequence } from "./build-frame.ts";
import {
  type AxisRadices,
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
 * Common digits of two layouts; `undefined` if there are none. Every dim must be cut evenly, and
 * position by position both layouts cut it by the same prime. The layouts may lie on different
 * meshes whose prime pieces are the same maps of the devices. Partials of the target must be
 * partial, with the same kind, in the source.
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
