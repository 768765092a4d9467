import { sum } from "#core/arithmetic";
import {
  blockCount,
  type DimLayout,
  type Layout,
  type Part,
  type Partial,
  partSize,
  refineLayout,
  samePart,
} from "#core/mesh";
import { assertDisjoint, assertEnds } from "./assert-moves.ts";
import type { Collective, Move } from "./collective.ts";

/**
 * Layout after a collective whose moves all happen at once.
 *
 * `from.position` counts the parts of the dim before the collective and must select exactly the
 * part that moves (`refineLayout` splits a whole axis into sub-axes first). A part that leaves is
 * replaced by pieces of its size, since the device now holds that digit itself. `to.position`
 * counts the parts of the dim after the collective, pieces included. A part that enters replaces
 * the pieces at its position (all of them, or their outer factor); at the end it cuts the dim
 * further. To leave a gap before it, write the gap as pieces first: `_` as `~2`, which changes no
 * block.
 *
 * Pieces at the end of a dim are dropped where that leaves the blocks of a tensor of this shape
 * unchanged; elsewhere (an uneven flat dim) they are kept. Moves that do not fit the layout are a
 * bug and throw. On uneven dims a device may be unable to get its new block by this collective;
 * `isComplete` checks that.
 */
export function applyMoves(
  layout: Layout,
  collective: Collective,
  moves: readonly Move[],
  shape: readonly number[],
): Layout {
  assertEnds(collective, moves);
  const dims = layout.dims.map((dim, at) => moveDim(dim, at, moves, shape[at] ?? 0));
  const isReduction = collective === "reduce-scatter" || collective === "all-reduce";
  const reduced = isReduction ? moves.map(({ part }) => part) : [];
  const after = { mesh: layout.mesh, dims, partials: withoutParts(layout, reduced) };
  assertDisjoint(after);
  return after;
}

/** The partials that remain when parts are combined; each must be partial, wholly or in part. */
function withoutParts(layout: Layout, reduced: readonly Part[]): readonly Partial[] {
  if (reduced.length === 0) return layout.partials;
  const refined = refineLayout({ ...layout, dims: [] }, reduced)?.partials ?? [];
  const missing = reduced.find((part) => !refined.some((partial) => samePart(partial.part, part)));
  if (missing !== undefined) throw new Error(`not partial: ${JSON.stringify(missing)}`);
  return refined.filter(({ part }) => !reduced.some((other) => samePart(other, part)));
}

function moveDim(dim: DimLayout, at: number, moves: readonly Move[], size: number): DimLayout {
  const leaving = moves.filter(({ from }) => from?.dim === at);
  const entering = moves.filter(({ to }) => to?.dim === at);
  if (leaving.length === 0 && entering.length === 0) return dim;
  for (const { part, from } of leaving) {
    const present = dim.parts[from?.position ?? -1];
    if (present === undefined || !samePart(present, part)) {
      throw new Error(`dim ${at} has no ${JSON.stringify(part)} at position ${from?.position}`);
    }
  }
  const emptied = new Set(leaving.map(({ from }) => from?.position));
  const held = dim.parts.map(
    (part, position): Part =>
      emptied.has(position) ? { kind: "pieces", count: partSize(part) } : part,
  );
  return withoutTail(
    enter({ ...dim, parts: held.filter((part) => !isNothing(part)) }, entering),
    size,
  );
}

function isNothing(part: Part): boolean {
  return part.kind === "pieces" && part.count === 1;
}

/** The dim with parts put in at their positions. */
function enter(dim: DimLayout, entering: readonly Move[]): DimLayout {
  const rest = [...dim.parts];
  const parts: Part[] = [];
  let cuts = 1;
  const ordered = [...entering].sort((a, b) => (a.to?.position ?? 0) - (b.to?.position ?? 0));
  for (const { part, to } of ordered) {
    const position = to?.position ?? 0;
    parts.push(...rest.splice(0, position - parts.length), part);
    if (parts.length !== position + 1) throw new Error(`no position ${position} in the dim`);
    cuts *= takePieces(rest, partSize(part));
  }
  const all = [...parts, ...rest];
  if (dim.sizes === undefined) return { ...dim, parts: all };
  return { ...dim, parts: all, sizes: dim.sizes.flatMap((piece) => chunkLengths(piece, cuts)) };
}

/** Removes pieces worth `count` from the front; returns how often the innermost digit is cut. */
function takePieces(rest: Part[], count: number): number {
  let needed = count;
  while (needed > 1) {
    const next = rest[0];
    if (next === undefined) return needed;
    if (next.kind === "axis") throw new Error("a part enters where the device holds no digit");
    if (next.count % needed === 0) {
      const left = next.count / needed;
      rest.splice(0, 1, ...(left > 1 ? [{ kind: "pieces" as const, count: left }] : []));
      return 1;
    }
    if (needed % next.count !== 0) throw new Error("a part enters across unequal pieces");
    needed /= next.count;
    rest.shift();
  }
  return 1;
}

/** Drops pieces at the end of a dim while its blocks stay the same. */
function withoutTail(dim: DimLayout, size: number): DimLayout {
  const axes = dim.parts.filter((part) => part.kind === "axis");
  if (axes.every((part) => part.size === 1)) return { parts: axes, chunks: dim.chunks };
  const last = dim.parts.findLastIndex((part) => part.kind === "axis");
  for (let length = last + 1; length < dim.parts.length; length += 1) {
    const shorter = { ...dim, parts: dim.parts.slice(0, length) };
    const tail = blockCount(dim.parts) / blockCount(shorter.parts);
    if (dim.sizes !== undefined) return { ...shorter, sizes: sumsOf(dim.sizes, tail) };
    const [fine, coarse] = [blockCount(dim.parts), blockCount(shorter.parts)];
    const isSame = tail * Math.ceil(size / fine) === Math.ceil(size / coarse);
    if (dim.chunks === "nested" || isSame) return shorter;
  }
  return dim;
}

function sumsOf(sizes: readonly number[], run: number): readonly number[] {
  const starts = sizes.flatMap((_, at) => (at % run === 0 ? [at] : []));
  return starts.map((at) => sum(sizes.slice(at, at + run)));
}

function chunkLengths(size: number, count: number): readonly number[] {
  const chunk = Math.ceil(size / count);
  const edge = (at: number) => Math.min(at * chunk, size);
  return Array.from({ length: count }, (_, at) => edge(at + 1) - edge(at));
}
