import { type DeviceMesh, type Layout, type Part, partStride, partsOf, sameMesh } from "#core/mesh";
import {
  type Atom,
  type AxisRadices,
  atomsOf,
  atomsOfPart,
  onlyRadicesOf,
  primesOf,
  radicesOf,
} from "./atom.ts";
import { buildFrame, type Sequence } from "./build-frame.ts";
import { atomKey, type Frame, partOf } from "./frame.ts";

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
      sequenceOf(dim.parts, source, (atom) => atom),
      sequenceOf(to.dims[at]?.parts ?? [], target, rename),
    ]);
    if (sequences.some(([a, b]) => !isAligned(a, b))) continue;
    if (!hasPartials(from, source, to, target, rename)) continue;
    return buildFrame(from, to, shape, sequences, source, (part) =>
      atomsOfPart(part, target).map(rename),
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
  const [fromParts, toParts] = [partsOf(from), partsOf(to)];
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

/** Whether parts begin and end between the primes of their axes: all whole axes do. */
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

/** The atom of the source mesh that is the same map of the devices as an atom of the target mesh. */
function renamingOf(
  from: DeviceMesh,
  source: AxisRadices,
  to: DeviceMesh,
  target: AxisRadices,
): ((atom: Atom) => Atom) | undefined {
  if (sameMesh(from, to)) return (atom) => atom;
  const [fromOrder, toOrder] = [byDevice(from), byDevice(to)];
  const hasSame = fromOrder.every(
    (at, rank) => from.devices[at] === to.devices[toOrder[rank] ?? 0],
  );
  if (fromOrder.length !== toOrder.length || !hasSame) return undefined;
  const known = new Map(
    atomsOf(from, source).map((atom) => [signatureOf(from, fromOrder, atom), atom]),
  );
  const renamed = new Map<string, Atom>();
  for (const atom of atomsOf(to, target)) {
    const same = known.get(signatureOf(to, toOrder, atom));
    if (same === undefined) return undefined;
    renamed.set(atomKey(atom), same);
  }
  return (atom) => renamed.get(atomKey(atom)) ?? atom;
}

/** The indices of a mesh in the order of its devices' ids. */
function byDevice({ devices }: DeviceMesh): readonly number[] {
  return [...devices.keys()].sort((a, b) => (devices[a] ?? 0) - (devices[b] ?? 0));
}

/** The digits of all devices along an atom, by device. */
function signatureOf(mesh: DeviceMesh, order: readonly number[], atom: Atom): string {
  const stride = partStride(mesh, partOf(atom));
  return order.map((index) => Math.floor(index / stride) % atom.radix).join();
}

function sequenceOf(
  parts: readonly Part[],
  radices: AxisRadices,
  rename: (atom: Atom) => Atom,
): Sequence {
  return parts.flatMap((part): Sequence => {
    if (part.kind === "pieces") {
      return primesOf(part.count).map((radix) => ({ radix, atom: undefined }));
    }
    return atomsOfPart(part, radices).map((atom) => ({ radix: atom.radix, atom: rename(atom) }));
  });
}

function isAligned(a: Sequence, b: Sequence): boolean {
  return a.every((digit, at) => b[at] === undefined || b[at].radix === digit.radix);
}

/** Whether what is partial in the target is so, with the same kind, in the source. */
function hasPartials(
  from: Layout,
  source: AxisRadices,
  to: Layout,
  target: AxisRadices,
  rename: (atom: Atom) => Atom,
): boolean {
  const held = from.partials.flatMap(({ part, reduce }) =>
    atomsOfPart(part, source).map((atom) => `${reduce} ${atomKey(atom)}`),
  );
  return to.partials.every(({ part, reduce }) =>
    atomsOfPart(part, target).every((atom) => held.includes(`${reduce} ${atomKey(rename(atom))}`)),
  );
}
