import { deflateSync, zipSync } from "fflate";

/** A text file by its name. */
interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Where the times of a ZIP file begin: the same files give the same bytes. */
const noTime = "1980-01-01T00:00:00";

/** Several text files in one ZIP file. */
export function zipped(files: readonly NamedText[]): Uint8Array {
  const encoder = new TextEncoder();
  const entries = Object.fromEntries(files.map(({ name, text }) => [name, encoder.encode(text)]));
  return zipSync(entries, { level: 6, mtime: noTime });
}

/** A text by raw deflate, in base64: what a page unpacks with what browsers have. */
export function packed(text: string): string {
  const bytes = deflateSync(new TextEncoder().encode(text), { level: 9 });
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
