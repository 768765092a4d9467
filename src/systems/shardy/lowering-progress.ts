// State of a lowering: axes already placed, axes still held, and axes still wanted.

import { greatestCommonDivisor } from "#core/arithmetic";
import { has, isSame, type Piece, split } from "./piece.ts";

/** Axes per dim: already in place (`current`), still held (`source`), still wanted (`target`). */
export interface Progress {
  readonly current: Piece[][];
  source: Piece[][];
  target: Piece[][];
}

/** The dim that wants an axis, or -1. */
export function destination({ target }: Progress, piece: Piece): number {
  return target.findIndex((dim) => has(dim, piece));
}

/** Puts as much of an axis onto a dim as the dim's capacity allows. */
export function place(
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

export function remove(pieces: Piece[], piece: Piece): void {
  const at = pieces.findIndex((other) => isSame(other, piece));
  if (at !== -1) pieces.splice(at, 1);
}

export function replaceInTarget({ target }: Progress, piece: Piece, by: readonly Piece[]): void {
  for (const dim of target) {
    const at = dim.findIndex((other) => isSame(other, piece));
    if (at !== -1) dim.splice(at, 1, ...by);
  }
}
