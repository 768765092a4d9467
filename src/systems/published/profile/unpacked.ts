import { Gunzip } from "fflate";

/** Small pieces of input bound what one step of the decoder can make. */
const chunkBytes = 4096;

/** Whether bytes begin as gzip does. */
export function isPacked(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * What was packed by gzip, in bytes. It ends as soon as that would be more than `mostBytes`, so that
 * a small file cannot become a large one.
 *
 * @returns in place of the bytes why there are none, in words
 */
export function unpackedWithin(packed: Uint8Array, mostBytes: number): Uint8Array | string {
  const pieces: Uint8Array[] = [];
  let total = 0;
  let isWhole = false;
  const stream = new Gunzip((piece, isLast) => {
    pieces.push(piece);
    total += piece.length;
    isWhole = isLast;
  });
  try {
    for (let at = 0; at < packed.length && total <= mostBytes; at += chunkBytes) {
      stream.push(packed.subarray(at, at + chunkBytes), at + chunkBytes >= packed.length);
    }
  } catch {
    return "it is no whole gzip";
  }
  if (total > mostBytes) return "it has more than 256 MiB when it is unpacked";
  return isWhole ? joined(pieces, total) : "it is no whole gzip";
}

function joined(pieces: readonly Uint8Array[], total: number): Uint8Array {
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
