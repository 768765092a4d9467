import {
  type DeviceMesh,
  digitOf,
  type Layout,
  type Part,
  partsOf,
  type ReduceKind,
} from "#core/mesh";
import { type Atom, type AxisRadices, atomsOf, atomsOfPart, primesOf, radicesOf } from "./atom.ts";

/** One digit of a dim's index: fixed for the whole plan, or a slot that atoms enter and leave. */
export type Digit =
  | { readonly kind: "kept"; readonly radix: number; readonly atom: Atom | undefined }
  | { readonly kind: "slot"; readonly radix: number; readonly slot: number };

/** What stands in every slot (an index of `atoms`, or `empty`), and the set of partial atoms. */
export interface State {
  readonly slots: readonly number[];
  /** Bit i is set when atom i is partial. */
  readonly partials: number;
}

/** The number that stands for an empty slot. */
export const empty = -1;

/**
 * Two layouts of one tensor in common digits (redistribution.md §7.1). Atoms that stand in the same
 * slot on both sides, or are partial on both, take no part.
 */
export interface Frame {
  readonly mesh: DeviceMesh;
  readonly atoms: readonly Atom[];
  /** Per dim, most major first. The rest of the index is local. */
  readonly dims: readonly (readonly Digit[])[];
  /** The radix of every slot; those from `spareFrom` on are in neither layout. */
  readonly slotRadices: readonly number[];
  readonly spareFrom: number;
  readonly source: State;
  readonly target: State;
  /** How a partial atom is combined, by atom. */
  readonly reduces: readonly (ReduceKind | undefined)[];
  readonly keptPartials: readonly { readonly atom: Atom; readonly reduce: ReduceKind }[];
  /** Elements of the tensor, divided by the digits that are kept. */
  readonly elements: number;
}

type Sequence = readonly { readonly radix: number; readonly atom: Atom | undefined }[];

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

/** Whether two meshes name the same axes over the same devices. */
export function sameMesh(a: DeviceMesh, b: DeviceMesh): boolean {
  if (a === b) return true;
  return (
    a.axes.length === b.axes.length &&
    a.axes.every((axis, at) => axis.name === b.axes[at]?.name && axis.size === b.axes[at]?.size) &&
    a.devices.length === b.devices.length &&
    a.devices.every((device, at) => device === b.devices[at])
  );
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
    const ways = radicesOf(from.mesh, [...fromParts, ...toParts]);
    return ways.map((way) => ({ source: way, target: way }));
  }
  const targets = radicesOf(to.mesh, toParts);
  return radicesOf(from.mesh, fromParts).flatMap((source) =>
    targets.map((target) => ({ source, target })),
  );
}

/** The atom of the source mesh that is the same map of the devices as an atom of the target mesh. */
function renamingOf(
  from: DeviceMesh,
  source: AxisRadices,
  to: DeviceMesh,
  target: AxisRadices,
): ((atom: Atom) => Atom) | undefined {
  if (sameMesh(from, to)) return (atom) => atom;
  const known = new Map(atomsOf(from, source).map((atom) => [signatureOf(from, atom), atom]));
  const renamed = new Map<string, Atom>();
  for (const atom of atomsOf(to, target)) {
    const same = known.get(signatureOf(to, atom));
    if (same === undefined) return undefined;
    renamed.set(keyOf(atom), same);
  }
  return (atom) => renamed.get(keyOf(atom)) ?? atom;
}

function signatureOf(mesh: DeviceMesh, atom: Atom): string {
  const part = partOf(atom);
  const digits = mesh.devices.map((device, at) => [device, digitOf(mesh, part, at)] as const);
  return digits
    .sort(([a], [b]) => a - b)
    .map(([device, digit]) => `${device}:${digit}`)
    .join();
}

/** An atom as a part of its mesh. */
export function partOf(atom: Atom): Extract<Part, { kind: "axis" }> {
  return { kind: "axis", axis: atom.axis, before: atom.before, size: atom.radix };
}

function keyOf(atom: Atom): string {
  return `${atom.axis}:${atom.before}`;
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
    atomsOfPart(part, source).map((atom) => `${reduce} ${keyOf(atom)}`),
  );
  return to.partials.every(({ part, reduce }) =>
    atomsOfPart(part, target).every((atom) => held.includes(`${reduce} ${keyOf(rename(atom))}`)),
  );
}

function buildFrame(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  sequences: readonly (readonly [Sequence, Sequence])[],
  radices: AxisRadices,
  targetAtoms: (part: Part) => readonly Atom[],
): Frame {
  const partials = new Map(
    from.partials.flatMap(({ part, reduce }) =>
      atomsOfPart(part, radices).map((atom) => [keyOf(atom), { atom, reduce }] as const),
    ),
  );
  const wanted = new Set(to.partials.flatMap(({ part }) => targetAtoms(part)).map(keyOf));
  const keptPartials = [...partials].filter(([key]) => wanted.has(key)).map(([, value]) => value);
  const isKept = (a: Sequence[number] | undefined, b: Sequence[number] | undefined) =>
    a?.atom !== undefined && b?.atom !== undefined && keyOf(a.atom) === keyOf(b.atom);
  const keptAtoms = new Set([
    ...keptPartials.map(({ atom }) => keyOf(atom)),
    ...sequences.flatMap(([a, b]) =>
      a.flatMap(({ atom }, at) => (atom && isKept(a[at], b[at]) ? [keyOf(atom)] : [])),
    ),
  ]);
  const atoms = atomsOf(from.mesh, radices).filter((atom) => !keptAtoms.has(keyOf(atom)));
  const indices = new Map(atoms.map((atom, index) => [keyOf(atom), index]));
  const indexOf = (atom: Atom | undefined) =>
    atom === undefined ? empty : (indices.get(keyOf(atom)) ?? empty);
  const radicesOfSlots: number[] = [];
  const [source, target]: [number[], number[]] = [[], []];
  const dims = sequences.map(([a, b]) =>
    (a.length > b.length ? a : b).map(({ radix }, at): Digit => {
      const [first, second] = [a[at]?.atom, b[at]?.atom];
      if (isKept(a[at], b[at]) || (first === undefined && second === undefined)) {
        return { kind: "kept", radix, atom: first };
      }
      source.push(indexOf(first));
      target.push(indexOf(second));
      return { kind: "slot", radix, slot: radicesOfSlots.push(radix) - 1 };
    }),
  );
  const spareFrom = radicesOfSlots.length;
  const all = addSpares(dims, shape, atoms, radicesOfSlots);
  const none = all.slotRadices.slice(spareFrom).map(() => empty);
  const mask = [...partials].reduce((bits, [key]) => bits | bitOf(indices.get(key)), 0);
  const kept = dims.flat().reduce((n, d) => (d.kind === "kept" && d.atom ? n * d.radix : n), 1);
  return {
    mesh: from.mesh,
    atoms,
    dims: all.dims,
    slotRadices: all.slotRadices,
    spareFrom,
    source: { slots: [...source, ...none], partials: mask },
    target: { slots: [...target, ...none], partials: 0 },
    reduces: atoms.map((atom) => partials.get(keyOf(atom))?.reduce),
    keptPartials,
    elements: shape.reduce((n, size) => n * size, 1) / kept,
  };
}

function bitOf(index: number | undefined): number {
  return index === undefined ? 0 : 1 << index;
}

/** Appends to the dims slots that neither layout uses, at most as many of a radix as atoms. */
function addSpares(
  dims: readonly (readonly Digit[])[],
  shape: readonly number[],
  atoms: readonly Atom[],
  mainRadices: readonly number[],
): Pick<Frame, "dims" | "slotRadices"> {
  const slotRadices = [...mainRadices];
  const left = new Map<number, number>();
  for (const { radix } of atoms) left.set(radix, (left.get(radix) ?? 0) + 1);
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
