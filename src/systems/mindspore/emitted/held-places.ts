import { product } from "#core/arithmetic";
import { shapeOf, type TracedTensor } from "#language/document/trace";

/** Whole numbers that are known while a net compiles, of a shape that is broadcast to the tensor's. */
interface HeldPlaces {
  /** All of them, or the first one of a row and its step. */
  readonly numbers: readonly number[];
  readonly isRow: boolean;
  readonly own: readonly number[];
}

const held = new WeakMap<TracedTensor, HeldPlaces>();

/** Keeps what a constant holds. */
export function notePlaces(tensor: TracedTensor, places: HeldPlaces): void {
  held.set(tensor, places);
}

/**
 * The most numbers that are compared; longer constants count as equal only if they are made alike.
 */
const mostCompared = 4096;

/**
 * The part of a constant, cut into pieces on dim 0, that a rank has, as a text; `undefined` for
 * other tensors. The compiler cuts constants for the rank that it compiles for, and merges two
 * constants of which that rank has equal parts.
 */
export function placesOfRank(
  tensor: TracedTensor,
  pieces: number,
  { rank, devices }: RankOfDevices,
): string | undefined {
  const places = held.get(tensor);
  if (places === undefined) return undefined;
  const { numbers, isRow, own } = places;
  const sizes = shapeOf(tensor);
  const elements = product(sizes) / pieces;
  const from = Math.floor((rank * pieces) / devices) * elements;
  const [start = 0, step = 1] = numbers;
  const seen = Array.from({ length: Math.min(elements, mostCompared) }, (_, at) => {
    const place = placeIn(from + at, own, sizes);
    return isRow ? start + step * place : (numbers[place] ?? 0);
  });
  const more = elements > mostCompared ? [from, own, numbers] : [];
  return JSON.stringify([sizes, seen, more]);
}

/** For which rank of how many devices a net is compiled. */
export interface RankOfDevices {
  readonly rank: number;
  readonly devices: number;
}

/** The index of the element of a tensor that stands at a place after broadcasting. */
function placeIn(at: number, own: readonly number[], final: readonly number[]): number {
  let [rest, place, stride] = [at, 0, 1];
  for (let dim = final.length - 1; dim >= 0; dim--) {
    const [size, length] = [final[dim] ?? 1, own[dim] ?? 1];
    if (length > 1) place += (rest % size) * stride;
    rest = Math.floor(rest / size);
    stride *= length;
  }
  return place;
}
