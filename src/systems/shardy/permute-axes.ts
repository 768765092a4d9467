// The permute before the gathers of a lowering: axes in the wrong dim or order change places.

import { greatestCommonDivisor } from "#core/arithmetic";
import { destination, type Progress, replaceInTarget } from "./lowering-progress.ts";
import { has, isSame, type Piece, sizeOf, split } from "./piece.ts";

/** Whether one of the five reasons for a permute holds. */
export function needsPermute(progress: Progress): boolean {
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

/** Whether the axes of a dim cannot leave it, group by group from the end, in the wanted order. */
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

/**
 * One permute: fills the target's dims with their own axes if they fit, then with axes to be
 * gathered, then with axes to be moved.
 */
export function permute(progress: Progress): void {
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
  // A displaced axis is lost only if another one took its room.
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
 * Compares held and wanted axes of a dim in order. A new axis takes the place of the held one,
 * which is lost unless some dim wants it; an axis of the same dim swaps places with it.
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

/** Distributes axes over dims with room, in order, splitting those that do not fit whole. */
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
