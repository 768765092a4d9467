import { greatestCommonDivisor } from "#core/arithmetic";
import { type AxesPerDim, aligned, has, isSame, type Piece, sizeOf, split } from "./piece.ts";

/** The collectives that one reshard is lowered to. */
export type LoweredKind = "slice" | "collective-permute" | "all-to-all" | "all-gather";

/** One of them, with the axes per dim after it. */
export interface LoweredStep {
  readonly collective: LoweredKind;
  readonly dims: AxesPerDim;
}

/** What is done (`current`), and what each dim still has (`source`) and wants (`target`). */
interface Progress {
  readonly current: Piece[][];
  source: Piece[][];
  target: Piece[][];
}

/**
 * Shardy's lowering of one reshard to collectives, partials aside (redistribution.md §2.1): at most
 * two rounds of a slice, a permute where order demands it, all-to-alls, and a gather.
 * `undefined` when sub-axes of the two sides have no common refinement, or when this does not end.
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

/** Cuts both sides alike and moves what agrees from their fronts to what is done. */
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

/** Where an axis goes: the dim that wants it, or -1. */
function destination({ target }: Progress, piece: Piece): number {
  return target.findIndex((dim) => has(dim, piece));
}

/** One fused slice: on source dims behind what they travel with, in place, then anywhere. */
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

/** Puts as much of an axis on a dim as its capacity allows. */
function place(
  progress: Progress,
  at: number,
  piece: Piece,
  capacity: number[],
  unused: Piece[],
): void {
  const size = greatestCommonDivisor(capacity[at] ?? 1, piece.size);
  if (size === 1) return;
  const [first, rest] = split(piece, size);
  progress.source[at]?.push(first);
  capacity[at] = (capacity[at] ?? 1) / size;
  if (rest.size > 1) unused.splice(unused.indexOf(piece), 1, rest);
  else remove(unused, piece);
  replaceInTarget(progress, piece, rest.size > 1 ? [first, rest] : [first]);
}

function remove(pieces: Piece[], piece: Piece): void {
  const at = pieces.findIndex((other) => isSame(other, piece));
  if (at !== -1) pieces.splice(at, 1);
}

function replaceInTarget({ target }: Progress, piece: Piece, by: readonly Piece[]): void {
  for (const dim of target) {
    const at = dim.findIndex((other) => isSame(other, piece));
    if (at !== -1) dim.splice(at, 1, ...by);
  }
}

/** The five reasons for a permute. */
function needsPermute(progress: Progress): boolean {
  const { source, target } = progress;
  const isFacing = source.some((dim, at) => {
    const [held, wanted] = [dim[0], target[at]?.[0]];
    return held !== undefined && wanted !== undefined && divides(held.size, wanted.size);
  });
  if (isFacing) return true;
  const surplus = source.flat().filter((piece) => destination(progress, piece) === -1);
  const missing = target.flat().filter((piece) => !has(source.flat(), piece));
  if (surplus.some((held) => missing.some((wanted) => divides(held.size, wanted.size))))
    return true;
  return source.some((dim, at) => isDisordered(progress, dim, at));
}

function divides(a: number, b: number): boolean {
  return a % b === 0 || b % a === 0;
}

/** Whether axes of a dim cannot leave it, group by group from the end, in the order wanted. */
function isDisordered(progress: Progress, dim: readonly Piece[], at: number): boolean {
  const places = dim.map((piece) => destination(progress, piece));
  const leaves = (to: number | undefined) => to !== undefined && to !== -1 && to !== at;
  const isBehind = places.some((to, index) => {
    const next = places[index + 1];
    if (!leaves(to) || next === undefined) return false;
    return next === at || (next === -1 && progress.target[at]?.length === 0);
  });
  const first = progress.target[at]?.[0];
  if (isBehind || (first !== undefined && has(dim, first))) return true;
  return [...new Set(places)].filter(leaves).some((to) => {
    const indices = places.flatMap((place, index) => (place === to ? [index] : []));
    const wanted = progress.target[to] ?? [];
    const order = indices.map((index) =>
      wanted.findIndex((piece) => isSame(piece, dim[index] ?? piece)),
    );
    const isRun = (list: readonly number[]) =>
      list.every((value, index) => index === 0 || value === (list[index - 1] ?? 0) + 1);
    return !isRun(indices) || !isRun(order);
  });
}

/** One permute: the target's axes where they fit, then what is to be gathered, then to be moved. */
function permute(progress: Progress): void {
  const { target } = progress;
  const room = progress.source.map(sizeOf);
  const displaced: Piece[] = [];
  for (const at of target.keys()) displace(progress, at, displaced);
  const placed = target.map((dim, at): Piece[] => {
    const taken: Piece[] = [];
    for (const piece of [...dim]) {
      const size = greatestCommonDivisor(room[at] ?? 1, piece.size);
      if (size === 1) break;
      const [first, rest] = split(piece, size);
      taken.push(first);
      room[at] = (room[at] ?? 1) / size;
      if (rest.size === 1) continue;
      replaceInTarget(progress, piece, [first, rest]);
      replaceInSource(progress, piece, [first, rest]);
      break;
    }
    return taken;
  });
  const left = progress.source
    .flat()
    .filter((piece) => !has(placed.flat(), piece) && !has(displaced, piece));
  const gathered = left.filter((piece) => destination(progress, piece) === -1);
  const moved = target.flat().filter((piece) => has(left, piece));
  // What was displaced is lost only where something took its room.
  fill(placed, room, [...gathered, ...moved, ...displaced]);
  progress.source = placed;
}

function replaceInSource({ source }: Progress, piece: Piece, by: readonly Piece[]): void {
  for (const dim of source) {
    const at = dim.findIndex((other) => isSame(other, piece));
    if (at !== -1) dim.splice(at, 1, ...by);
  }
}

/**
 * Walks along what a dim has and wants. An axis that is new takes the place of what stands there,
 * which is lost unless somebody wants it; one of the same dim changes places with it.
 */
function displace(progress: Progress, at: number, displaced: Piece[]): void {
  const [dim, wanted] = [progress.source[at] ?? [], [...(progress.target[at] ?? [])]];
  for (let index = 0; index < dim.length; index++) {
    const [held, next] = [dim[index], wanted.shift()];
    if (held === undefined || next === undefined) return;
    if (!divides(held.size, next.size)) return;
    const size = Math.min(held.size, next.size);
    const [first, rest] = split(held, size);
    if (rest.size > 1) {
      dim.splice(index, 1, first, rest);
      replaceInTarget(progress, held, [first, rest]);
    }
    const [front, behind] = split(next, size);
    if (behind.size > 1) wanted.unshift(behind);
    const other = dim.findIndex((piece) => isSame(piece, front));
    if (other !== -1) [dim[index], dim[other]] = [front, first];
    else if (!has(progress.source.flat(), next) && destination(progress, first) === -1) {
      displaced.push(first);
    }
  }
}

/** Distributes axes over dims with room, in order, cutting them where they do not fit whole. */
function fill(dims: Piece[][], room: readonly number[], pieces: readonly Piece[]): void {
  let left = pieces;
  for (const [at, dim] of dims.entries()) {
    let free = room[at] ?? 1;
    left = left.flatMap((piece) => {
      const size = greatestCommonDivisor(free, piece.size);
      if (size === 1) return [piece];
      const [first, rest] = split(piece, size);
      dim.push(first);
      free /= size;
      return rest.size > 1 ? [rest] : [];
    });
  }
}

/** Moves the end of a dim that lands in its final place; false when there is none. */
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

/** Gathers, on every dim, the end that nobody wants. */
function gather(progress: Progress): boolean {
  let isAny = false;
  for (const dim of progress.source) {
    const start = dim.findLastIndex((piece) => destination(progress, piece) !== -1) + 1;
    isAny ||= start < dim.length;
    dim.splice(start);
  }
  return isAny;
}
