import { product } from "#core/arithmetic";
import type { MapEntry } from "../layout.ts";
import { entryList } from "../operators/call.ts";

/** Tensor maps on one device matrix. */
interface Mapped {
  readonly deviceMatrix: readonly number[];
  readonly maps: readonly (readonly MapEntry[])[];
}

/** Whether two arrangements give every rank the same piece of every dim. */
export function samePieces(one: Mapped, other: Mapped): boolean {
  const devices = product(one.deviceMatrix);
  if (devices !== product(other.deviceMatrix)) return false;
  return Array.from({ length: devices }, (_, rank) => rank).every(
    (rank) => pieces(one, rank).join() === pieces(other, rank).join(),
  );
}

/** Index of a rank's piece of each dim: mixed-radix, the first axis most significant. */
function pieces({ deviceMatrix, maps }: Mapped, rank: number): readonly number[] {
  return maps.flatMap((map) => map.map((entry) => pieceOf(entry, deviceMatrix, rank)));
}

/** Index of a rank's piece of one dim. */
export function pieceOf(entry: MapEntry, deviceMatrix: readonly number[], rank: number): number {
  return entryList(entry)
    .filter((value) => value >= 0)
    .reduce((piece, value) => {
      const at = deviceMatrix.length - 1 - value;
      const below = product(deviceMatrix.slice(at + 1));
      const size = deviceMatrix[at] ?? 1;
      return piece * size + (Math.floor(rank / below) % size);
    }, 0);
}
