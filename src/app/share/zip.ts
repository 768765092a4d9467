import { deflateSync, zipSync } from "fflate";

/** A named text file. */
interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Earliest time in a ZIP file, so that equal files give equal bytes. */
const noTime = "1980-01-01T00:00:00";

/** Several text files in one ZIP file. */
export function zipped(files: readonly NamedText[]): Uint8Array {
  const encoder = new TextEncoder();
  const entries = Object.fromEntries(files.map(({ name, text }) => [name, encoder.encode(text)]));
  return zipSync(entries, { level: 6, mtime: noTime });
}

/** A text compressed with raw deflate, in base64; a page can unpack it with browser functions. */
export function packed(text: string): string {
  const bytes = deflateSync(new TextEncoder().encode(text), { level: 9 });
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
