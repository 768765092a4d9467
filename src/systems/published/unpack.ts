import { Gunzip, Inflate } from "fflate";

/** Small pieces of input bound what one step of the decoder can make. */
const chunkBytes = 4096;

/** What became of packed bytes. */
type Unpacked =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  | { readonly kind: "broken" }
  | { readonly kind: "too-large" };

/**
 * Unpacks bytes and ends as soon as more than `mostBytes` would come of them, so that a small file
 * cannot become a large one, whatever it says of itself.
 */
export function unpackWithin(
  packed: Uint8Array,
  { by, mostBytes }: { readonly by: "gzip" | "deflate"; readonly mostBytes: number },
): Unpacked {
  const pieces: Uint8Array[] = [];
  let total = 0;
  let isWhole = false;
  const stream = new { gzip: Gunzip, deflate: Inflate }[by]((piece, isLast) => {
    pieces.push(piece);
    total += piece.length;
    isWhole = isLast;
  });
  try {
    for (let at = 0; at < packed.length && total <= mostBytes; at += chunkBytes) {
      stream.push(packed.subarray(at, at + chunkBytes), at + chunkBytes >= packed.length);
    }
  } catch {
    return { kind: "broken" };
  }
  if (total > mostBytes) return { kind: "too-large" };
  return isWhole ? { kind: "whole", bytes: joined(pieces, total) } : { kind: "broken" };
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
