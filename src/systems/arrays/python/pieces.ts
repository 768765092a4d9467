import type { Move } from "#core/collective";
import { blockCount, type Layout, type Part, partSize } from "#core/mesh";

/** Writes a permutation of dims for an engine. */
type Transposed = (code: string, places: readonly number[]) => string;

/**
 * Cuts a block by the parts that move onto its dims, into pieces along a new leading dim: one per
 * member of the group.
 *
 * @param after the layout after the collective: if a device holds several pieces of a dim, each is
 *   cut by the parts inside it
 */
export function spreadPieces(
  block: string,
  moves: readonly Move[],
  local: readonly number[],
  after: Layout,
  transposed: Transposed,
): string {
  const cutShape = local.map((length, dim) => length / blockCount(newParts(moves, dim)));
  const size = blockCount(moves.map(({ part }) => part));
  const dims: number[] = [];
  const places = new Map<number, number>();
  const rest: number[] = [];
  for (const [dim, length] of cutShape.entries()) {
    const digits = digitsOf(moves, dim, "to", after);
    for (const { count, move } of digits) {
      const place = dims.push(count) - 1;
      if (move === undefined) rest.push(place);
      else places.set(move, place);
    }
    rest.push(dims.push(length / heldCount(digits)) - 1);
  }
  const front = moves.map((_, move) => places.get(move) ?? 0);
  const moved = turned(`${block}.reshape(${dims.join(", ")})`, [...front, ...rest], transposed);
  return `${moved}.reshape(${[size, ...cutShape].join(", ")})`;
}

/**
 * Concatenates pieces along their leading dim into the dims that grow.
 *
 * @param before the layout before the collective: if a device holds several pieces of a dim, each
 *   grows by the parts inside it
 */
export function joinedPieces(
  pieces: string,
  moves: readonly Move[],
  shape: readonly number[],
  before: Layout,
  transposed: Transposed,
): string {
  const leading = moves.map(({ part }) => partSize(part));
  const sizes: number[] = [...leading];
  const order: number[] = [];
  const grown = shape.map((length, dim) => {
    const digits = digitsOf(moves, dim, "from", before);
    for (const { count, move } of digits) order.push(move ?? sizes.push(count) - 1);
    order.push(sizes.push(length / heldCount(digits)) - 1);
    return digits.reduce((n, { count, move }) => (move === undefined ? n : n * count), length);
  });
  const apart = `${pieces}.reshape(${sizes.join(", ")})`;
  return `${turned(apart, order, transposed)}.reshape(${grown.join(", ")})`;
}

/** One digit of the index along a dim: a moving part, or the pieces on a device. */
interface Digit {
  readonly count: number;
  /** Position in the list of moves; absent for pieces. */
  readonly move?: number;
}

/** Digits of a dim, outermost first: the moving parts, and pieces outside one of them. */
function digitsOf(
  moves: readonly Move[],
  dim: number,
  side: "from" | "to",
  layout: Layout,
): readonly Digit[] {
  const moved = moves
    .map((move, at) => ({ at, count: partSize(move.part), slot: move[side] }))
    .filter(({ slot }) => slot?.dim === dim)
    .map(({ at, count, slot }) => ({ move: at, count, position: slot?.position ?? 0 }));
  const held = piecesOutside(
    layout,
    dim,
    moved.map(({ position }) => position),
  );
  return [...moved, ...held].sort((a, b) => a.position - b.position);
}

/**
 * Whether the moves cut and grow a dim of which a device holds several pieces outside the moving
 * parts.
 */
export function growsCutPieces(moves: readonly Move[], before: Layout, after: Layout): boolean {
  const sides = [
    { side: "from", other: "to", layout: before },
    { side: "to", other: "from", layout: after },
  ] as const;
  return sides.some(({ side, other, layout }) =>
    layout.dims.some((_, dim) => {
      const positions = moves.flatMap((move) =>
        move[side]?.dim === dim ? [move[side].position] : [],
      );
      const crosses = moves.some((move) => move[other]?.dim === dim);
      return crosses && piecesOutside(layout, dim, positions).length > 0;
    }),
  );
}

/** Pieces of a dim on a device that lie outside the innermost of some positions. */
function piecesOutside({ dims }: Layout, dim: number, positions: readonly number[]) {
  const innermost = Math.max(-1, ...positions);
  return (dims[dim]?.parts ?? []).flatMap((part, position) =>
    part.kind === "pieces" && position < innermost ? [{ count: part.count, position }] : [],
  );
}

function heldCount(digits: readonly Digit[]): number {
  return digits.reduce((n, { count, move }) => (move === undefined ? n * count : n), 1);
}

function turned(code: string, order: readonly number[], transposed: Transposed): string {
  return order.every((place, at) => place === at) ? code : transposed(code, order);
}

/** The parts that newly cut a dim, outermost first. */
export function newParts(moves: readonly Move[], dim: number): readonly Part[] {
  return moves
    .filter(({ to }) => to?.dim === dim)
    .sort((a, b) => (a.to?.position ?? 0) - (b.to?.position ?? 0))
    .map(({ part }) => part);
}

/** Whether a device holds several pieces of a dim, each of which an incoming part cuts. */
export function cutsPieces(moves: readonly Move[], after: Layout): boolean {
  return after.dims.some((_, dim) => {
    const positions = moves.flatMap(({ to }) => (to?.dim === dim ? [to.position] : []));
    return piecesOutside(after, dim, positions).length > 0;
  });
}

/**
 * The single dim along which a collective concatenates (`from`), and the single one it cuts (`to`);
 * `undefined` when there are several, or when the device order differs.
 */
export function tiledDims(
  moves: readonly Move[],
  { before, after }: { readonly before: Layout; readonly after: Layout },
): { readonly from: number | undefined; readonly to: number | undefined } {
  return {
    from: onlyDim(
      moves.map((move) => move.from),
      before,
    ),
    to: onlyDim(
      moves.map((move) => move.to),
      after,
    ),
  };
}

/**
 * The only dim of all slots, if they ascend and no pieces of that dim lie outside them; else
 * `undefined`.
 */
function onlyDim(slots: readonly Move["from"][], layout: Layout): number | undefined {
  const [first] = slots;
  const isSorted = slots.every(
    (slot, at) =>
      slot !== undefined &&
      slot.dim === first?.dim &&
      (at === 0 || slot.position > (slots[at - 1]?.position ?? 0)),
  );
  if (!isSorted || first === undefined) return undefined;
  const positions = slots.map((slot) => slot?.position ?? 0);
  return piecesOutside(layout, first.dim, positions).length === 0 ? first.dim : undefined;
}
