import type { Part } from "#core/mesh";

/** An axis or sub-axis: one entry of Shardy's lists. */
export type Piece = Extract<Part, { kind: "axis" }>;

/** Lists of axes, one per dim, major first. */
export type AxesPerDim = readonly (readonly Piece[])[];

/** Product of the pieces' sizes. */
export function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((product, piece) => product * piece.size, 1);
}

export function isSame(a: Piece, b: Piece): boolean {
  return a.axis === b.axis && a.before === b.before && a.size === b.size;
}

export function has(pieces: readonly Piece[], piece: Piece): boolean {
  return pieces.some((other) => isSame(other, piece));
}

/** Joins neighbouring pieces that continue each other. */
export function merged(pieces: readonly Piece[]): readonly Piece[] {
  const done: Piece[] = [];
  for (const piece of pieces) {
    const last = done.at(-1);
    const continues = last?.axis === piece.axis && last.before * last.size === piece.before;
    if (last !== undefined && continues) {
      done[done.length - 1] = { ...last, size: last.size * piece.size };
    } else done.push(piece);
  }
  return done;
}

/**
 * Both sides refined so that any two overlapping pieces are equal; `undefined` when there is no
 * common refinement.
 */
export function aligned(
  source: AxesPerDim,
  target: AxesPerDim,
): readonly [AxesPerDim, AxesPerDim] | undefined {
  const all = [...source.flat(), ...target.flat()];
  const cut = (dims: AxesPerDim) => dims.map((dim) => dim.flatMap((piece) => cutBy(piece, all)));
  const [a, b] = [cut(source), cut(target)];
  const pieces = [...a.flat(), ...b.flat()];
  const fits = pieces.every((one) =>
    pieces.every((other) => isSame(one, other) || areApart(one, other)),
  );
  return fits ? [a, b] : undefined;
}

function areApart(a: Piece, b: Piece): boolean {
  if (a.axis !== b.axis) return true;
  return b.before % (a.before * a.size) === 0 || a.before % (b.before * b.size) === 0;
}

function cutBy(piece: Piece, others: readonly Piece[]): readonly Piece[] {
  const end = piece.before * piece.size;
  const edges = others
    .filter((other) => other.axis === piece.axis)
    .flatMap((other) => [other.before, other.before * other.size])
    .filter((edge) => edge > piece.before && edge < end);
  const stops = [...new Set([...edges, end])].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  let before = piece.before;
  for (const stop of stops) {
    if (stop % before !== 0) continue;
    pieces.push({ ...piece, before, size: stop / before });
    before = stop;
  }
  return pieces;
}

/** The major sub-axis of a given size, and the remaining minor one. */
export function split(piece: Piece, size: number): readonly [Piece, Piece] {
  const rest = { ...piece, before: piece.before * size, size: piece.size / size };
  return [{ ...piece, size }, rest];
}
