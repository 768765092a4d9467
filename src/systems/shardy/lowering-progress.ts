// How far a lowering is: the axes that a layout has, those that it is to have, and the steps between.

import { greatestCommonDivisor } from "#core/arithmetic";
import { has, isSame, type Piece, split } from "./piece.ts";

/** What is done (`current`), and what each dim still has (`source`) and wants (`target`). */
export interface Progress {
  readonly current: Piece[][];
  source: Piece[][];
  target: Piece[][];
}

/** Where an axis goes: the dim that wants it, or -1. */
export function destination({ target }: Progress, piece: Piece): number {
  return target.findIndex((dim) => has(dim, piece));
}

/** Puts as much of an axis on a dim as its capacity allows. */
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
