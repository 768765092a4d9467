import { crc32 } from "./crc32.ts";
import { cleanDocument, maxTextBytes } from "./document.ts";
import { type Refused, refused, spaced } from "./refusal.ts";

/** The contents of a file: the fragment of a link inside a picture, or a text. */
export type FileContent =
  | { readonly kind: "fragment"; readonly fragment: string }
  | { readonly kind: "text"; readonly text: string }
  | Refused;

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const keyword = "shardboard\0";
const chunkOverhead = 12;

/** Largest file (bytes) that is opened. */
const maxFileBytes = 64 * 1024 * 1024;

/**
 * Largest graph in JSON (bytes): one with thousands of nodes fits into no link, but can be opened.
 */
const maxGraphBytes = 16 * 1024 * 1024;

/** Reads an untrusted file; a fragment in it must still be checked by `readFragment`. */
export function readFile(bytes: Uint8Array): FileContent {
  if (bytes.length > maxFileBytes) return refused("too-large", "the file is larger than 64 MiB");
  if (signature.every((byte, at) => bytes[at] === byte))
    return carried("picture", linkInPng(bytes));
  const text = decoded(bytes);
  if (text === undefined) return refused("not-a-link", "the file is neither a picture nor a text");
  if (/^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(text.slice(0, 2000)))
    return carried("picture", linkInSvg(text));
  if (/^\s*<!doctype html>/i.test(text.slice(0, 100))) return carried("page", linkInPage(text));
  if (/^\s*(https?:\/\/\S*)?#(p|src|example)=\S+\s*$/.test(text)) {
    return { kind: "fragment", fragment: text.trim().replace(/^[^#]*/, "") };
  }
  const most = /^[\s\ufeff]*\{/.test(text) ? maxGraphBytes : maxTextBytes;
  if (bytes.length > most) {
    return refused("too-large", `a text has at most ${spaced(most)} bytes`);
  }
  return { kind: "text", text: cleanDocument({ text }).text };
}

function carried(what: "picture" | "page", fragment: string | undefined): FileContent {
  return fragment === undefined
    ? refused("not-a-link", `the ${what} carries no plan`)
    : { kind: "fragment", fragment };
}

/** Content of the metadata element in an SVG; of the characters in links XML escapes only `&`. */
export function svgMetadata(fragment: string): string {
  return `shardboard:${fragment}`;
}

function linkInSvg(text: string): string | undefined {
  const found = /<metadata>shardboard:(#p=[\w.&;=%,:-]{1,131072})<\/metadata>/.exec(text);
  return found?.[1]?.replaceAll("&amp;", "&");
}

/** The link in a saved page; `undefined` if the page was not saved by this program. */
function linkInPage(text: string): string | undefined {
  if (!text.includes('<meta name="generator" content="Shardboard">')) return undefined;
  const found = /<a href="[^"#]*(#p=[\w.&;=%,:-]{1,131072})" rel="noopener">/.exec(text);
  return found?.[1]?.replaceAll("&amp;", "&");
}

/** A PNG with the link in a `tEXt` chunk after its header (PNG specification, 11.3.4.3). */
export function withPngLink(png: Uint8Array, fragment: string): Uint8Array {
  const headerEnd = signature.length + chunkOverhead + 13;
  const data = new TextEncoder().encode(`tEXt${keyword}${fragment}`);
  const chunk = new Uint8Array(data.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length - 4);
  chunk.set(data, 4);
  view.setUint32(data.length + 4, Number.parseInt(crc32(`tEXt${keyword}${fragment}`), 16));
  const whole = new Uint8Array(png.length + chunk.length);
  whole.set(png.subarray(0, headerEnd));
  whole.set(chunk, headerEnd);
  whole.set(png.subarray(headerEnd), headerEnd + chunk.length);
  return whole;
}

function linkInPng(bytes: Uint8Array): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = signature.length;
  while (at + chunkOverhead <= bytes.length) {
    const length = view.getUint32(at);
    const content = bytes.subarray(at + 4, at + 8 + length);
    const text = content.length > 200_000 ? "" : latin1(content);
    if (text.startsWith(`tEXt${keyword}`)) return text.slice(4 + keyword.length);
    at += length + chunkOverhead;
  }
  return undefined;
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
