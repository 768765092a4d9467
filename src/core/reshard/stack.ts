import { canonicalLayout, type DimLayout, type Layout, type ReduceKind } from "#core/mesh";
import { type Atom, type AxisRadices, atomsOf, atomsOfPart } from "./atom.ts";
import { partOf } from "./frame.ts";
import type { PriceOptions } from "./price-options.ts";
import { type AtomRates, atomRates } from "./rates.ts";

/** An ordinary layout: the atoms of every dim, major first, and the set of partial ones. */
export interface Stack {
  readonly dims: readonly (readonly number[])[];
  readonly partials: number;
}

/** Two layouts of one mesh in prime pieces, for dims that have no common digits. */
export interface StackSpace {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
  readonly atoms: readonly Atom[];
  readonly reduces: readonly (ReduceKind | undefined)[];
  readonly chunks: readonly DimLayout["chunks"][];
  readonly source: Stack;
  readonly target: Stack;
  /** What collectives take. */
  readonly rates: AtomRates;
}

/**
 * The space of two layouts of one mesh under a cut of its axes; `undefined` when dims have explicit
 * sizes or pieces, or are chunked in two ways.
 */
export function stackSpaceOf(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  radices: AxisRadices,
  price: PriceOptions = {},
): StackSpace | undefined {
  const isPlain = [from, to].every(({ dims }) =>
    dims.every((dim) => !dim.sizes && dim.parts.every((part) => part.kind === "axis")),
  );
  const chunks = from.dims.map((dim, at) => commonChunks(dim, to.dims[at]));
  if (!isPlain || chunks.includes(undefined)) return undefined;
  const isSplit = [from, to].some(({ dims }) =>
    dims.some(({ parts }) => parts.some((part) => atomsOfPart(part, radices).length > 1)),
  );
  // Nested chunks keep their levels: cutting one in two would move elements.
  if (isSplit && chunks.includes("nested")) return undefined;
  const atoms = atomsOf(from.mesh, radices);
  const indexOf = (atom: Atom) =>
    atoms.findIndex((other) => other.axis === atom.axis && other.before === atom.before);
  const stackOf = (layout: Layout): Stack => ({
    dims: layout.dims.map(({ parts }) =>
      parts.flatMap((part) => atomsOfPart(part, radices).map(indexOf)),
    ),
    partials: layout.partials
      .flatMap(({ part }) => atomsOfPart(part, radices).map(indexOf))
      .reduce((bits, atom) => bits | (1 << atom), 0),
  });
  const reduces = atoms.map((_, atom) => {
    const partial = from.partials.find(({ part }) =>
      atomsOfPart(part, radices).some((other) => indexOf(other) === atom),
    );
    return partial?.reduce;
  });
  const known = chunks.flatMap((kind) => (kind === undefined ? [] : [kind]));
  const [source, target] = [stackOf(from), stackOf(to)];
  const rates = atomRates(atoms, from.mesh, price);
  return { from, to, shape, atoms, reduces, chunks: known, source, target, rates };
}

/** How a dim is chunked on both sides; a whole one may be either. */
function commonChunks(a: DimLayout, b: DimLayout | undefined): DimLayout["chunks"] | undefined {
  if (b === undefined || b.parts.length < 2) return a.chunks;
  if (a.parts.length < 2 || a.chunks === b.chunks) return b.chunks;
  return undefined;
}

/** A stack as a layout; source and target as they were written. */
export function layoutOfStack(space: StackSpace, stack: Stack): Layout {
  if (stack === space.source) return space.from;
  if (sameStack(stack, space.target)) return space.to;
  const dims = stack.dims.map((_, at) => dimOfStack(space, stack, at));
  const partials = space.atoms.flatMap((_, atom) => {
    const reduce = space.reduces[atom];
    if (((stack.partials >> atom) & 1) === 0 || reduce === undefined) return [];
    return partsOfAtom(space, atom).map((part) => ({ part, reduce }));
  });
  return canonicalLayout({ mesh: space.from.mesh, dims, partials });
}

/** One dim of a stack as a layout has it. */
export function dimOfStack(space: StackSpace, stack: Stack, at: number): DimLayout {
  const parts = (stack.dims[at] ?? []).flatMap((atom) => partsOfAtom(space, atom));
  return { parts, chunks: space.chunks[at] ?? "flat" };
}

function partsOfAtom(space: StackSpace, index: number): readonly ReturnType<typeof partOf>[] {
  const atom = space.atoms[index];
  return atom === undefined ? [] : [partOf(atom)];
}

function sameStack(a: Stack, b: Stack): boolean {
  return stackKey(a) === stackKey(b);
}

export function stackKey({ dims, partials }: Stack): string {
  return `${dims.join("|")};${partials}`;
}

/** Product of the radices. */
export function countOf(space: StackSpace, atoms: readonly number[]): number {
  return atoms.reduce((product, atom) => product * (space.atoms[atom]?.radix ?? 1), 1);
}

/** The atoms that stand elsewhere in one stack than in another: in another dim, or behind more blocks. */
export function movedAtoms(space: StackSpace, a: Stack, b: Stack): readonly number[] {
  const [one, other] = [placesOf(space, a), placesOf(space, b)];
  const changed = a.partials ^ b.partials;
  return [...space.atoms.keys()].filter(
    (atom) => one[atom] !== other[atom] || ((changed >> atom) & 1) === 1,
  );
}

/** By atom, which dim it cuts behind how many blocks; undefined where it cuts none. */
function placesOf({ atoms }: StackSpace, { dims }: Stack): readonly (string | undefined)[] {
  const places: (string | undefined)[] = atoms.map(() => undefined);
  for (const [at, dim] of dims.entries()) {
    let before = 1;
    for (const atom of dim) {
      places[atom] = `${at}:${before}`;
      before *= atoms[atom]?.radix ?? 1;
    }
  }
  return places;
}

/** Atoms that are on no dim and not partial. */
export function idleAtoms(space: StackSpace, stack: Stack): readonly number[] {
  const used = stack.dims.flat();
  return [...space.atoms.keys()].filter(
    (atom) => !used.includes(atom) && ((stack.partials >> atom) & 1) === 0,
  );
}
