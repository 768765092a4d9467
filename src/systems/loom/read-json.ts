import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { JsonNode, Member } from "./json-node.ts";
import { readString } from "./read-string.ts";

/** What could be read of a text; without a tree nothing could. */
export interface ReadJson {
  readonly tree?: JsonNode;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Deeper nesting is refused: it would exhaust the stack of whoever walks the tree.
 * @internal
 */
export const maxDepth = 256;

interface Reader {
  readonly text: string;
  readonly diagnostics: Diagnostic[];
  at: number;
  depth: number;
  /** A fault behind which nothing can be told stands; the rest of the text is not read. */
  isHalted: boolean;
}

/**
 * Reads JSON (RFC 8259) with the place of every value.
 *
 * Commas too many or too few and comments are reported, mended by a fix, and read over. Behind any
 * other fault reading ends, and what was read so far is the tree.
 */
export function readJson(text: string): ReadJson {
  const reader: Reader = { text, diagnostics: [], at: 0, depth: 0, isHalted: false };
  const tree = readValue(reader);
  skipBlank(reader);
  if (!reader.isHalted && reader.at < text.length) {
    halt(reader, `JSON ends here, but ${found(reader)} follows`);
  }
  return { ...(tree !== undefined && { tree }), diagnostics: reader.diagnostics };
}

function readValue(reader: Reader): JsonNode | undefined {
  skipBlank(reader);
  const character = reader.text[reader.at];
  if (character === "{") return nested(reader, readObject);
  if (character === "[") return nested(reader, readArray);
  if (character === '"') return stringNode(reader);
  const word = /[^\s,:[\]{}"/]*/y;
  word.lastIndex = reader.at;
  const token = word.exec(reader.text)?.[0] ?? "";
  const span = { from: reader.at, to: reader.at + token.length };
  const value = plainValue(token);
  if (value === undefined) {
    halt(reader, `this is not JSON: expected a value, but found ${found(reader)}`);
    return undefined;
  }
  reader.at = span.to;
  if (typeof value === "number") checkNumber(reader, token, value, span);
  return { kind: "plain", span, value };
}

function nested(reader: Reader, read: (reader: Reader) => JsonNode): JsonNode | undefined {
  if (reader.depth >= maxDepth) {
    halt(reader, `this JSON is nested deeper than ${maxDepth} levels`);
    return undefined;
  }
  reader.depth++;
  const node = read(reader);
  reader.depth--;
  return node;
}

function readObject(reader: Reader): JsonNode {
  const members: Member[] = [];
  const names = new Set<string>();
  const span = readList(reader, "}", () => {
    const member = readMember(reader);
    if (member === undefined) return;
    if (names.has(member.name)) warnOfTwin(reader, member);
    names.add(member.name);
    members.push(member);
  });
  return { kind: "object", span, members, hasTwins: names.size < members.length };
}

function readArray(reader: Reader): JsonNode {
  const items: JsonNode[] = [];
  const span = readList(reader, "]", () => {
    const item = readValue(reader);
    if (item !== undefined) items.push(item);
  });
  return { kind: "array", span, items };
}

/** Reads what stands between brackets, item by item, and says where it all stood. */
function readList(reader: Reader, close: "}" | "]", readItem: () => void): Span {
  const from = reader.at;
  reader.at++;
  skipBlank(reader);
  while (!reader.isHalted && reader.text[reader.at] !== close) {
    if (reader.at >= reader.text.length) {
      halt(reader, `this JSON is not complete: a "${close}" is missing`, { from, to: from + 1 });
      break;
    }
    readItem();
    if (!reader.isHalted) readComma(reader, close);
  }
  if (!reader.isHalted) reader.at++;
  return { from, to: reader.at };
}

function readComma(reader: Reader, close: "}" | "]"): void {
  const end = reader.at;
  skipBlank(reader);
  const { text, at } = reader;
  if (text[at] === close || at >= text.length) return;
  if (text[at] !== ",") {
    const isItem = /["{[\w-]/.test(text[at] ?? "");
    if (!isItem) {
      halt(reader, `JSON expects "," or "${close}" here, not ${found(reader)}`);
      return;
    }
    const fix = { title: "Insert the comma", edits: [{ from: end, to: end, text: "," }] };
    complain(reader, "JSON wants a comma between two values", { from: end, to: end }, fix);
    return;
  }
  reader.at++;
  skipBlank(reader);
  if (text[reader.at] !== close) return;
  const comma = { from: at, to: at + 1 };
  const fix = { title: "Remove the comma", edits: [{ ...comma, text: "" }] };
  complain(reader, `JSON has no comma before "${close}"`, comma, fix);
}

function readMember(reader: Reader): Member | undefined {
  if (reader.text[reader.at] !== '"') {
    halt(reader, `this is not JSON: expected a name in double quotes, but found ${found(reader)}`);
    return undefined;
  }
  const name = stringNode(reader);
  skipBlank(reader);
  if (reader.isHalted || name === undefined) return undefined;
  if (reader.text[reader.at] !== ":") {
    halt(reader, `JSON expects ":" behind a name, not ${found(reader)}`);
    return undefined;
  }
  reader.at++;
  const value = readValue(reader);
  return value && { name: String(name.value), nameSpan: name.span, value };
}

function stringNode(reader: Reader) {
  const read = readString(reader.text, reader.at);
  const span = { from: reader.at, to: read.end };
  if (read.kind === "fault") {
    halt(reader, read.message, { from: read.end, to: Math.min(read.end + 1, reader.text.length) });
    return undefined;
  }
  reader.at = read.end;
  return { kind: "plain", span, value: read.value } as const;
}

function plainValue(token: string): number | boolean | null | undefined {
  if (token === "true" || token === "false") return token === "true";
  if (token === "null") return null;
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(token);
  return isNumber ? Number(token) + 0 : undefined;
}

// Integers beyond 2^53 would come back changed, so the writer must be able to warn of them.
function checkNumber(reader: Reader, token: string, value: number, span: Span): void {
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return;
  reader.diagnostics.push({
    code: "loom/inexact-number",
    severity: "warning",
    message: `the number ${token} does not fit in double precision: it is read as ${value}`,
    span,
  });
}

function warnOfTwin(reader: Reader, { name, nameSpan }: Member): void {
  reader.diagnostics.push({
    code: "loom/name-twice",
    severity: "warning",
    message: `"${name}" stands twice in this object: the last one counts`,
    span: nameSpan,
  });
}

/** Moves behind white space; comments are no JSON, but nothing is lost by reading on. */
function skipBlank(reader: Reader): void {
  for (;;) {
    while (isBlank(reader.text.charCodeAt(reader.at))) reader.at++;
    const comment = commentAt(reader.text, reader.at);
    if (comment === undefined) return;
    const fix = { title: "Remove the comment", edits: [{ ...comment, text: "" }] };
    complain(reader, "JSON has no comments", comment, fix);
    reader.at = comment.to;
  }
}

/** White space of JSON, and the byte order mark. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff;
}

function commentAt(text: string, from: number): Span | undefined {
  if (text[from] !== "/") return undefined;
  const isLine = text[from + 1] === "/";
  if (!isLine && text[from + 1] !== "*") return undefined;
  const end = text.indexOf(isLine ? "\n" : "*/", from + 2);
  return { from, to: end < 0 ? text.length : end + (isLine ? 0 : 2) };
}

function found({ text, at }: Reader): string {
  const character = text.slice(at, at + 12).split(/[\s,]/)[0] ?? "";
  return at >= text.length ? "the end of the text" : `"${character || text[at]}"`;
}

function halt(reader: Reader, message: string, span?: Span): void {
  const { text, at } = reader;
  complain(reader, message, span ?? { from: at, to: Math.min(at + 1, text.length) });
  reader.isHalted = true;
}

function complain({ diagnostics, isHalted }: Reader, message: string, span: Span, fix?: Fix): void {
  if (isHalted) return;
  const fixes = fix === undefined ? {} : { fixes: [fix] };
  diagnostics.push({ code: "loom/no-json", severity: "error", message, span, ...fixes });
}
