import { canonicalLayout, type DimLayout, type Layout, type ReduceKind } from "#core/mesh";
import {
  type AxisRadices,
  type PrimeSubAxis,
  partOf,
  subAxesOf,
  subAxesOfPart,
} from "./prime-sub-axis.ts";
import { type PriceOptions, type SubAxisRates, subAxisRates } from "./rates.ts";

/** An ordinary layout: the sub-axes of every dim, major first, and the set of partial ones. */
export interface DigitLayout {
  readonly dims: readonly (readonly number[])[];
  readonly partials: number;
}

/** Two layouts of one mesh in prime pieces, for dims that have no common digits. */
export interface DigitSpace {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
  readonly subAxes: readonly PrimeSubAxis[];
  readonly reduces: readonly (ReduceKind | undefined)[];
  readonly chunks: readonly DimLayout["chunks"][];
  readonly source: DigitLayout;
  readonly target: DigitLayout;
  /** Times of collectives over sub-axes. */
  readonly rates: SubAxisRates;
}

/**
 * The space of two layouts of one mesh under a cut of its axes; `undefined` when dims have explicit
 * sizes or pieces, or are chunked in two ways.
 */
export function digitSpaceOf(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  radices: AxisRadices,
  price: PriceOptions = {},
): DigitSpace | undefined {
  const isPlain = [from, to].every(({ dims }) =>
    dims.every((dim) => !dim.sizes && dim.parts.every((part) => part.kind === "axis")),
  );
  const chunks = from.dims.map((dim, at) => commonChunks(dim, to.dims[at]));
  if (!isPlain || chunks.includes(undefined)) return undefined;
  const isSplit = [from, to].some(({ dims }) =>
    dims.some(({ parts }) => parts.some((part) => subAxesOfPart(part, radices).length > 1)),
  );
  // Nested chunks keep their levels: cutting one in two would move elements.
  if (isSplit && chunks.includes("nested")) return undefined;
  const subAxes = subAxesOf(from.mesh, radices);
  const indexOf = (subAxis: PrimeSubAxis) =>
    subAxes.findIndex((other) => other.axis === subAxis.axis && other.before === subAxis.before);
  const digitsOf = (layout: Layout): DigitLayout => ({
    dims: layout.dims.map(({ parts }) =>
      parts.flatMap((part) => subAxesOfPart(part, radices).map(indexOf)),
    ),
    partials: layout.partials
      .flatMap(({ part }) => subAxesOfPart(part, radices).map(indexOf))
      .reduce((bits, subAxis) => bits | (1 << subAxis), 0),
  });
  const reduces = subAxes.map((_, subAxis) => {
    const partial = from.partials.find(({ part }) =>
      subAxesOfPart(part, radices).some((other) => indexOf(other) === subAxis),
    );
    return partial?.reduce;
  });
  const known = chunks.flatMap((kind) => (kind === undefined ? [] : [kind]));
  const [source, target] = [digitsOf(from), digitsOf(to)];
  const rates = subAxisRates(subAxes, from.mesh, price);
  return { from, to, shape, subAxes, reduces, chunks: known, source, target, rates };
}

/**
 * The chunks of a dim on both sides; `undefined` if they differ. A whole dim may have either kind.
 */
function commonChunks(a: DimLayout, b: DimLayout | undefined): DimLayout["chunks"] | undefined {
  if (b === undefined || b.parts.length < 2) return a.chunks;
  if (a.parts.length < 2 || a.chunks === b.chunks) return b.chunks;
  return undefined;
}

/** A digit layout as a `Layout`; the source and the target themselves as they were given. */
export function layoutOfDigits(space: DigitSpace, digits: DigitLayout): Layout {
  if (digits === space.source) return space.from;
  if (sameDigits(digits, space.target)) return space.to;
  const dims = digits.dims.map((_, at) => dimOfDigits(space, digits, at));
  const partials = space.subAxes.flatMap((_, subAxis) => {
    const reduce = space.reduces[subAxis];
    if (((digits.partials >> subAxis) & 1) === 0 || reduce === undefined) return [];
    return partsOfSubAxis(space, subAxis).map((part) => ({ part, reduce }));
  });
  return canonicalLayout({ mesh: space.from.mesh, dims, partials });
}

/** One dim of a digit layout as a dim of a `Layout`. */
export function dimOfDigits(space: DigitSpace, digits: DigitLayout, at: number): DimLayout {
  const parts = (digits.dims[at] ?? []).flatMap((subAxis) => partsOfSubAxis(space, subAxis));
  return { parts, chunks: space.chunks[at] ?? "flat" };
}

function partsOfSubAxis(space: DigitSpace, index: number): readonly ReturnType<typeof partOf>[] {
  const subAxis = space.subAxes[index];
  return subAxis === undefined ? [] : [partOf(subAxis)];
}

function sameDigits(a: DigitLayout, b: DigitLayout): boolean {
  return digitKey(a) === digitKey(b);
}

export function digitKey({ dims, partials }: DigitLayout): string {
  return `${dims.join("|")};${partials}`;
}

/** Product of the radices. */
export function countOf(space: DigitSpace, subAxes: readonly number[]): number {
  return subAxes.reduce((product, subAxis) => product * (space.subAxes[subAxis]?.radix ?? 1), 1);
}

/**
 * The sub-axes with another position in `b` than in `a`: another dim, or another number of blocks
 * outside of them.
 */
export function movedSubAxes(space: DigitSpace, a: DigitLayout, b: DigitLayout): readonly number[] {
  const [one, other] = [placesOf(space, a), placesOf(space, b)];
  const changed = a.partials ^ b.partials;
  return [...space.subAxes.keys()].filter(
    (subAxis) => one[subAxis] !== other[subAxis] || ((changed >> subAxis) & 1) === 1,
  );
}

/**
 * The position of each sub-axis: its dim and the number of blocks outside of it; `undefined` for
 * one that cuts no dim.
 */
function placesOf({ subAxes }: DigitSpace, { dims }: DigitLayout): readonly (string | undefined)[] {
  const places: (string | undefined)[] = subAxes.map(() => undefined);
  for (const [at, dim] of dims.entries()) {
    let before = 1;
    for (const subAxis of dim) {
      places[subAxis] = `${at}:${before}`;
      before *= subAxes[subAxis]?.radix ?? 1;
    }
  }
  return places;
}

/** Sub-axes that neither cut a dim nor are partial. */
export function idleSubAxes(space: DigitSpace, digits: DigitLayout): readonly number[] {
  const used = digits.dims.flat();
  return [...space.subAxes.keys()].filter(
    (subAxis) => !used.includes(subAxis) && ((digits.partials >> subAxis) & 1) === 0,
  );
}
