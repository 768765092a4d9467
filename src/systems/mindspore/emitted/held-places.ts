import { product } from "#core/arithmetic";
import { shapeOf, type TracedTensor } from "#language/document/trace";

/** Integers known at compile time, in a shape that is broadcast to the tensor's. */
interface HeldPlaces {
  /** All elements, or the start and step of an arithmetic sequence (`isRow`). */
  readonly numbers: readonly number[];
  readonly isRow: boolean;
  readonly own: readonly number[];
}

const held = new WeakMap<TracedTensor, HeldPlaces>();

/** Records the elements of a constant tensor. */
export function notePlaces(tensor: TracedTensor, places: HeldPlaces): void {
  held.set(tensor, places);
}

/**
 * Number of elements that are compared; longer constants count as equal only if they are also made
 * alike.
 */
const mostCompared = 4096;

/**
 * A rank's part of a constant that is sharded on dim 0, as a text to compare; `undefined` for other
 * tensors. The compiler shards constants for the rank that it compiles for, and merges two
 * constants whose parts on that rank are equal.
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

/** The rank for which a net is compiled, and the number of devices. */
export interface RankOfDevices {
  readonly rank: number;
  readonly devices: number;
}

/** The index of the element of a tensor that appears at a flat index after broadcasting. */
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
