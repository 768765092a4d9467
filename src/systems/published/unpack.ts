import { Gunzip, Inflate } from "fflate";

/** Bytes given to the decoder at a time: small pieces bound the output of one step. */
const chunkBytes = 4096;

/** Outcome of unpacking. */
type Unpacked =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  | { readonly kind: "broken" }
  | { readonly kind: "too-large" };

/**
 * Unpacks bytes and stops once the output exceeds `mostBytes`, so that a small file cannot expand
 * without limit, whatever size it states.
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
