import type { Move } from "#core/collective";
import { type Part, partSize } from "#core/mesh";
import { countOf } from "./parts.ts";

/** Dims in another order, in the words of an engine. */
type Transposed = (code: string, places: readonly number[]) => string;

/** A block as pieces in a leading dim, one per member of the group: cut by the parts that move in. */
export function spreadPieces(
  block: string,
  moves: readonly Move[],
  local: readonly number[],
  transposed: Transposed,
): string {
  const cutShape = local.map((length, dim) => length / countOf(newParts(moves, dim)));
  const size = countOf(moves.map(({ part }) => part));
  const dims: number[] = [];
  const places = new Map<Part, number>();
  const rest: number[] = [];
  for (const [dim] of local.entries()) {
    for (const part of newParts(moves, dim)) places.set(part, dims.push(partSize(part)) - 1);
    rest.push(dims.push(cutShape[dim] ?? 1) - 1);
  }
  const front = moves.map(({ part }) => places.get(part) ?? 0);
  const moved = turned(`${block}.reshape(${dims.join(", ")})`, [...front, ...rest], transposed);
  return `${moved}.reshape(${[size, ...cutShape].join(", ")})`;
}

/** Takes a leading dim of pieces apart and puts every part in front of the dim that grows by it. */
export function joinedPieces(
  pieces: string,
  moves: readonly Move[],
  shape: readonly number[],
  transposed: Transposed,
): string {
  const sizes = moves.map(({ part }) => partSize(part));
  const order: number[] = [];
  const grown = shape.map((length, dim) => {
    const parts = moves
      .map((move, at) => ({ at, slot: move.from }))
      .filter(({ slot }) => slot?.dim === dim)
      .sort((a, b) => (a.slot?.position ?? 0) - (b.slot?.position ?? 0));
    order.push(...parts.map(({ at }) => at), sizes.length + dim);
    return parts.reduce((product, { at }) => product * (sizes[at] ?? 1), length);
  });
  const apart = `${pieces}.reshape(${[...sizes, ...shape].join(", ")})`;
  return `${turned(apart, order, transposed)}.reshape(${grown.join(", ")})`;
}

function turned(code: string, order: readonly number[], transposed: Transposed): string {
  return order.every((place, at) => place === at) ? code : transposed(code, order);
}

/** The parts that come to cut a dim, outermost first. */
export function newParts(moves: readonly Move[], dim: number): readonly Part[] {
  return moves
    .filter(({ to }) => to?.dim === dim)
    .sort((a, b) => (a.to?.position ?? 0) - (b.to?.position ?? 0))
    .map(({ part }) => part);
}

/** The one dim that all slots lie in, if they stand there in ascending order. */
export function onlyDim(slots: readonly Move["from"][]): number | undefined {
  const [first] = slots;
  const isSorted = slots.every(
    (slot, at) =>
      slot !== undefined &&
      slot.dim === first?.dim &&
      (at === 0 || slot.position > (slots[at - 1]?.position ?? 0)),
  );
  return isSorted ? first?.dim : undefined;
}
