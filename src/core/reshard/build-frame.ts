import type { Layout, Part, ReduceKind } from "#core/mesh";
import { type Atom, type AxisRadices, atomsOf, atomsOfPart, primesOf } from "./atom.ts";
import { atomKey, type Digit, empty, type Frame } from "./frame.ts";

/** The digits into which a layout cuts a dim, major first; without an atom they are held locally. */
export type Sequence = readonly { readonly radix: number; readonly atom: Atom | undefined }[];

/** The frame of aligned digits; atoms that stay where they are on both sides take no part. */
export function buildFrame(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  sequences: readonly (readonly [Sequence, Sequence])[],
  radices: AxisRadices,
  targetAtoms: (part: Part) => readonly Atom[],
): Frame {
  const partials = partialAtoms(from, radices);
  const wanted = new Set(to.partials.flatMap(({ part }) => targetAtoms(part)).map(atomKey));
  const keptPartials = partials.filter(({ atom }) => wanted.has(atomKey(atom)));
  const kept = new Set([
    ...keptPartials.map(({ atom }) => atomKey(atom)),
    ...sequences.flatMap(([a, b]) => a.filter((digit, at) => isKept(digit, b[at])).map(keyOfDigit)),
  ]);
  const atoms = atomsOf(from.mesh, radices).filter((atom) => !kept.has(atomKey(atom)));
  const slotted = fillSlots(sequences, atoms);
  const all = addSpares(slotted.dims, shape, atoms, slotted.slotRadices);
  const spares = all.slotRadices.slice(slotted.slotRadices.length).map(() => empty);
  const reduces = atoms.map(
    (atom) => partials.find((partial) => atomKey(partial.atom) === atomKey(atom))?.reduce,
  );
  return {
    mesh: from.mesh,
    atoms,
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
    elements: shape.reduce((n, size) => n * size, 1) / keptCut(slotted.dims),
  };
}

function partialAtoms(
  { partials }: Layout,
  radices: AxisRadices,
): readonly { readonly atom: Atom; readonly reduce: ReduceKind }[] {
  return partials.flatMap(({ part, reduce }) =>
    atomsOfPart(part, radices).map((atom) => ({ atom, reduce })),
  );
}

function isKept(a: Sequence[number], b: Sequence[number] | undefined): boolean {
  return a.atom !== undefined && b?.atom !== undefined && atomKey(a.atom) === atomKey(b.atom);
}

function keyOfDigit({ atom }: Sequence[number]): string {
  return atom === undefined ? "" : atomKey(atom);
}

function keptCut(dims: Frame["dims"]): number {
  return dims
    .flat()
    .reduce((n, digit) => (digit.kind === "kept" && digit.atom ? n * digit.radix : n), 1);
}

interface Slotted extends Pick<Frame, "dims" | "slotRadices"> {
  readonly source: readonly number[];
  readonly target: readonly number[];
}

/** A slot for every digit that an atom enters or leaves. */
function fillSlots(
  sequences: readonly (readonly [Sequence, Sequence])[],
  atoms: readonly Atom[],
): Slotted {
  const indices = new Map(atoms.map((atom, index) => [atomKey(atom), index]));
  const indexOf = (digit: Sequence[number] | undefined) =>
    digit === undefined ? empty : (indices.get(keyOfDigit(digit)) ?? empty);
  const [slotRadices, source, target]: [number[], number[], number[]] = [[], [], []];
  const dims = sequences.map(([a, b]) =>
    (a.length > b.length ? a : b).map(({ radix }, at): Digit => {
      const [first, second] = [a[at], b[at]];
      const isEmpty = first?.atom === undefined && second?.atom === undefined;
      if (isEmpty || (first !== undefined && isKept(first, second))) {
        return { kind: "kept", radix, atom: first?.atom };
      }
      source.push(indexOf(first));
      target.push(indexOf(second));
      return { kind: "slot", radix, slot: slotRadices.push(radix) - 1 };
    }),
  );
  return { dims, slotRadices, source, target };
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
