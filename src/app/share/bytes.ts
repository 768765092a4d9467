import { Inflate } from "fflate";

/** Bytes as base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of a base64url text; `undefined` if the text is malformed. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** The outcome of a bounded inflate. */
export type Inflated =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  | { readonly kind: "broken" }
  | { readonly kind: "too-large" };

/** Input bytes per decoder step; small steps bound the output of one step. */
const chunkBytes = 256;

/**
 * Inflates a raw deflate stream and stops as soon as the result would exceed `maxBytes`, so that
 * a few kilobytes cannot become gigabytes.
 */
export function inflateWithin(deflated: Uint8Array, maxBytes: number): Inflated {
  const pieces: Uint8Array[] = [];
  let total = 0;
  const stream = new Inflate((piece) => {
    pieces.push(piece);
    total += piece.length;
  });
  try {
    for (let at = 0; at < deflated.length; at += chunkBytes) {
      stream.push(deflated.subarray(at, at + chunkBytes), at + chunkBytes >= deflated.length);
      if (total > maxBytes) return { kind: "too-large" };
    }
  } catch {
    return { kind: "broken" };
  }
  return { kind: "whole", bytes: joined(pieces, total) };
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
