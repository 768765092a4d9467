import { greatestCommonDivisor } from "#core/arithmetic";
import { destination, type Progress, place, remove } from "./lowering-progress.ts";
import { needsPermute, permute } from "./permute-axes.ts";
import { type AxesPerDim, aligned, has, isSame, type Piece, sizeOf } from "./piece.ts";

/** Kinds of collectives to which a reshard is lowered. */
export type LoweredKind = "slice" | "collective-permute" | "all-to-all" | "all-gather";

/** A collective of a lowering, with the axes per dim after it. */
export interface LoweredStep {
  readonly collective: LoweredKind;
  readonly dims: AxesPerDim;
}

/**
 * Shardy's lowering of one reshard to collectives, partials aside (redistribution.md §2.1): at most
 * two rounds of a slice, a permute where order demands it, all-to-alls, and a gather. `undefined`
 * when the sub-axes of both sides have no common refinement, or when the lowering does not end.
 */
export function lowerReshard(
  from: AxesPerDim,
  to: AxesPerDim,
  shape: readonly number[],
): readonly LoweredStep[] | undefined {
  const both = aligned(from, to);
  if (both === undefined) return undefined;
  const [source, target] = both.map((dims) => dims.map((dim) => [...dim]));
  const progress: Progress = {
    current: from.map(() => []),
    source: source ?? [],
    target: target ?? [],
  };
  const steps: LoweredStep[] = [];
  const done = (collective: LoweredKind) => {
    steps.push({ collective, dims: layoutOf(progress) });
    settle(progress);
  };
  settle(progress);
  for (let round = 0; round < 3 && !isDone(progress); round++) {
    if (slice(progress, shape)) done("slice");
    if (needsPermute(progress)) {
      const cut = sizeOf(progress.source.flat());
      permute(progress);
      if (sizeOf(progress.source.flat()) !== cut) return undefined;
      done("collective-permute");
    }
    while (moveInOrder(progress)) done("all-to-all");
    while (moveAnyhow(progress)) done("all-to-all");
    if (gather(progress)) done("all-gather");
  }
  return isDone(progress) ? steps : undefined;
}

function isDone({ source, target }: Progress): boolean {
  return source.flat().length === 0 && target.flat().length === 0;
}

function layoutOf({ current, source }: Progress): AxesPerDim {
  return current.map((dim, at) => [...dim, ...(source[at] ?? [])]);
}

/** Refines both sides to common pieces, and moves equal leading pieces to `current`. */
function settle(progress: Progress): void {
  const both = aligned(progress.source, progress.target);
  if (both !== undefined) {
    progress.source = both[0].map((dim) => [...dim]);
    progress.target = both[1].map((dim) => [...dim]);
  }
  for (const [at, source] of progress.source.entries()) {
    const target = progress.target[at] ?? [];
    for (;;) {
      const [first, wanted] = [source[0], target[0]];
      if (first === undefined || wanted === undefined || !isSame(first, wanted)) break;
      progress.current[at]?.push(first);
      source.shift();
      target.shift();
    }
  }
}

/**
 * One fused slice: first on source dims, after the axes with which the pieces will travel, then in
 * place, then anywhere.
 */
function slice(progress: Progress, shape: readonly number[]): boolean {
  const { source, target } = progress;
  const before = source.flat().length;
  const capacity = target.map((dim, at) => {
    const [held, wanted] = [sizeOf(source[at] ?? []), sizeOf(dim)];
    return wanted / greatestCommonDivisor(held, wanted);
  });
  const unused = target.flat().filter((piece) => !has(source.flat(), piece));
  sliceOnSourceDims(progress, shape, capacity, unused);
  for (const [at, dim] of target.entries()) {
    for (const piece of [...dim]) {
      if (has(unused, piece)) place(progress, at, piece, capacity, unused);
    }
  }
  for (const piece of [...unused]) {
    const at = capacity.findIndex((room) => greatestCommonDivisor(room, piece.size) > 1);
    if (at !== -1) place(progress, at, piece, capacity, unused);
  }
  return progress.source.flat().length > before;
}

function sliceOnSourceDims(
  progress: Progress,
  shape: readonly number[],
  capacity: number[],
  unused: Piece[],
): void {
  const { current, source, target } = progress;
  for (const [at, dim] of source.entries()) {
    const last = dim.at(-1);
    if (last === undefined || target[at]?.length !== 0) continue;
    const to = destination(progress, last);
    const wanted = target[to];
    if (wanted === undefined || source[to]?.length !== 0) continue;
    const place = wanted.findIndex((piece) => isSame(piece, last));
    const arriving = wanted.slice(0, place + 1).filter((piece) => has(dim, piece));
    if (!isEndOf(dim, arriving)) continue;
    const behind = wanted.slice(place + 1);
    const end = behind.findIndex((piece) => !has(unused, piece));
    const following = end === -1 ? behind : behind.slice(0, end);
    const cut = sizeOf([...(current[at] ?? []), ...dim, ...following]);
    if (following.length === 0 || (shape[at] ?? 0) % cut !== 0) continue;
    dim.push(...following);
    for (const piece of following) remove(unused, piece);
    capacity[to] = (capacity[to] ?? 1) / sizeOf([...arriving, ...following]);
  }
}

function isEndOf(dim: readonly Piece[], pieces: readonly Piece[]): boolean {
  const end = dim.slice(dim.length - pieces.length);
  return pieces.every((piece, at) => end[at] !== undefined && isSame(piece, end[at]));
}

/** Moves the trailing axes of a dim to their final place; false when there are none. */
function moveInOrder(progress: Progress): boolean {
  return move(progress, (group, to) => {
    const wanted = progress.target[to] ?? [];
    return (
      progress.source[to]?.length === 0 &&
      group.every((piece, at) => wanted[at] !== undefined && isSame(piece, wanted[at]))
    );
  });
}

function moveAnyhow(progress: Progress): boolean {
  return move(progress, () => true);
}

function move(
  progress: Progress,
  accepts: (group: readonly Piece[], to: number) => boolean,
): boolean {
  for (const [at, dim] of progress.source.entries()) {
    const last = dim.at(-1);
    const to = last === undefined ? -1 : destination(progress, last);
    if (to === -1 || to === at) continue;
    const start = dim.findLastIndex((piece) => destination(progress, piece) !== to) + 1;
    const group = dim.slice(start);
    if (!accepts(group, to)) continue;
    dim.splice(start);
    progress.source[to]?.push(...group);
    return true;
  }
  return false;
}

/** Gathers, on every dim, the trailing axes that no dim wants. */
function gather(progress: Progress): boolean {
  let isAny = false;
  for (const dim of progress.source) {
    const start = dim.findLastIndex((piece) => destination(progress, piece) !== -1) + 1;
    isAny ||= start < dim.length;
    dim.splice(start);
  }
  return isAny;
}
