import { unpackWithin } from "../unpack.ts";

/** Whether bytes begin with gzip's signature. */
export function isPacked(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Unpacks gzip data of at most `mostBytes` bytes.
 *
 * @returns the bytes, or the reason for refusal in words
 */
export function unpackedWithin(packed: Uint8Array, mostBytes: number): Uint8Array | string {
  const unpacked = unpackWithin(packed, { by: "gzip", mostBytes });
  if (unpacked.kind === "too-large") return "it has more than 256 MiB when it is unpacked";
  return unpacked.kind === "whole" ? unpacked.bytes : "it is no whole gzip";
}
