import type { PublishedFile } from "./format.ts";

/** A file of a text, or of bytes. */
export function fileOf(name: string, content: string | Uint8Array, size?: number): PublishedFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { name, bytes, size: size ?? bytes.length, decode: decodeText };
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
