import { type Checked, type Diagnostic, failed, passed, type Span } from "#core/diagnostics";
import { checkLayoutParts, type PlacedPart, sizesFaults } from "./check-layout.ts";
import {
  axisSize,
  blockCount,
  type DimLayout,
  type Layout,
  type Part,
  type Partial,
  type ReduceKind,
} from "./layout.ts";
import type { DeviceMesh } from "./mesh.ts";

/**
 * Reads the text of a layout (commands.md, "Layout text"), blanks allowed between signs.
 *
 * Beyond that grammar `~2` is a cut into pieces on each device and `x{3,5}` gives explicit sizes,
 * as `printLayout` writes them. All faults are reported, with spans. `chunks` is the way in which
 * uneven dims are cut. The rank is not known here: see `checkLayout`.
 */
export function parseLayout(
  text: string,
  mesh: DeviceMesh,
  chunks: DimLayout["chunks"] = "flat",
): Checked<Layout> {
  const reader: Reader = { text, mesh, tokens: tokensOf(text), at: 0, faults: [], placed: [] };
  const dims = readDims(reader, chunks);
  const partials = peek(reader) === "|" ? readPartials(reader) : [];
  const rest = reader.tokens[reader.at];
  if (rest !== undefined) fault(reader, `"${rest.text}" is not expected here`, rest);
  const faults = [...reader.faults, ...checkLayoutParts(mesh, reader.placed)];
  return faults.length > 0 ? failed(...inOrder(faults)) : passed({ mesh, dims, partials });
}

interface Token extends Span {
  readonly text: string;
}

/** The state of reading one text: the position, and the faults and parts found so far. */
interface Reader {
  readonly text: string;
  readonly mesh: DeviceMesh;
  readonly tokens: readonly Token[];
  readonly faults: Diagnostic[];
  readonly placed: PlacedPart[];
  at: number;
}

const signs = new Set([",", "*", "|", ":", "(", ")", "{", "}", "~", "=", "@"]);
const kinds: readonly ReduceKind[] = ["sum", "max", "min", "prod", "avg"];

function tokensOf(text: string): readonly Token[] {
  const found = text.matchAll(/[,*|:(){}~=@]|[^\s,*|:(){}~=@]+/gu);
  return [...found].map((match) => ({
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }));
}

function peek(reader: Reader, ahead = 0): string | undefined {
  return reader.tokens[reader.at + ahead]?.text;
}

function readDims(reader: Reader, chunks: DimLayout["chunks"]): readonly DimLayout[] {
  if (peek(reader) === "(" && peek(reader, 1) === ")") {
    reader.at += 2;
    return [];
  }
  return readList(reader, () => readDim(reader, chunks));
}

function readPartials(reader: Reader): readonly Partial[] {
  reader.at += 1;
  return readList(reader, () => readPartial(reader));
}

/** Reads items between commas; a faulty one is skipped up to the next comma or bar. */
function readList<T>(reader: Reader, readItem: () => T | undefined): readonly T[] {
  const items: T[] = [];
  for (;;) {
    const item = readItem();
    if (item === undefined) skipItem(reader);
    else items.push(item);
    if (peek(reader) !== ",") return items;
    reader.at += 1;
  }
}

function skipItem(reader: Reader): void {
  let braces = 0;
  for (let next = peek(reader); next !== undefined && next !== "|"; next = peek(reader)) {
    if (next === "," && braces <= 0) return;
    braces += next === "{" ? 1 : next === "}" ? -1 : 0;
    reader.at += 1;
  }
}

function readDim(reader: Reader, chunks: DimLayout["chunks"]): DimLayout | undefined {
  if (peek(reader) === "_") {
    reader.at += 1;
    return endOfItem(reader) ? { parts: [], chunks } : undefined;
  }
  const parts: Part[] = [];
  for (;;) {
    const part = peek(reader) === "~" ? readPieces(reader) : readPart(reader);
    if (part === undefined) return undefined;
    parts.push(part);
    if (peek(reader) !== "*") break;
    reader.at += 1;
  }
  if (peek(reader) !== "{") return endOfItem(reader) ? { parts, chunks } : undefined;
  return readSizes(reader, { parts, chunks });
}

function readPieces(reader: Reader): Part | undefined {
  const from = reader.tokens[reader.at]?.from ?? 0;
  reader.at += 1;
  const count = readNumber(reader);
  if (count === undefined) return undefined;
  const span = { from, to: before(reader).to };
  if (count < 2) return fault(reader, `"~${count}" cuts into fewer than 2 pieces`, span);
  return place(reader, { kind: "pieces", count }, span, true);
}

function readPart(reader: Reader): Part | undefined {
  const name = reader.tokens[reader.at];
  if (name === undefined) return fault(reader, "an axis is missing at the end", ending(reader));
  if (signs.has(name.text) || name.text === "_") {
    return fault(reader, `an axis is missing before "${name.text}"`, name);
  }
  reader.at += 1;
  const isKnown = reader.mesh.axes.some((axis) => axis.name === name.text);
  if (!isKnown) reader.faults.push(unknownAxis(reader.mesh, name));
  if (peek(reader) === ":") return readSubAxis(reader, name, isKnown);
  const size = isKnown ? axisSize(reader.mesh, name.text) : 1;
  return place(reader, { kind: "axis", axis: name.text, before: 1, size }, name, isKnown);
}

function readSubAxis(reader: Reader, name: Token, isKnown: boolean): Part | undefined {
  reader.at += 1;
  if (!expect(reader, "(")) return undefined;
  const major = readNumber(reader);
  if (major === undefined || !expect(reader, ")")) return undefined;
  const size = readNumber(reader);
  if (size === undefined) return undefined;
  const part: Part = { kind: "axis", axis: name.text, before: major, size };
  return place(reader, part, { from: name.from, to: before(reader).to }, isKnown);
}

function place(reader: Reader, part: Part, span: Span, isKnown: boolean): Part {
  if (isKnown) reader.placed.push({ part, span: { from: span.from, to: span.to } });
  return part;
}

function readSizes(reader: Reader, dim: DimLayout): DimLayout | undefined {
  const from = reader.tokens[reader.at]?.from ?? 0;
  const sizes: number[] = [];
  do {
    reader.at += 1;
    const size = readNumber(reader);
    if (size === undefined) return undefined;
    sizes.push(size);
  } while (peek(reader) === ",");
  if (!expect(reader, "}") || !endOfItem(reader)) return undefined;
  reader.faults.push(...sizesFaults(sizes, blockCount(dim.parts), { from, to: before(reader).to }));
  return { ...dim, sizes };
}

function readPartial(reader: Reader): Partial | undefined {
  const reduce = kinds.find((kind) => kind === peek(reader));
  if (reduce === undefined || peek(reader, 1) !== "(") {
    const part = readPart(reader);
    return part !== undefined && endOfItem(reader) ? { part, reduce: "sum" } : undefined;
  }
  reader.at += 2;
  const part = readPart(reader);
  if (part === undefined || !expect(reader, ")") || !endOfItem(reader)) return undefined;
  return { part, reduce };
}

function readNumber(reader: Reader): number | undefined {
  const token = reader.tokens[reader.at];
  const value = token !== undefined && /^\d+$/u.test(token.text) ? Number(token.text) : undefined;
  if (value === undefined || !Number.isSafeInteger(value)) {
    return fault(reader, "a number is missing", token ?? ending(reader));
  }
  reader.at += 1;
  return value;
}

function expect(reader: Reader, sign: string): boolean {
  const token = reader.tokens[reader.at];
  if (token?.text === sign) {
    reader.at += 1;
    return true;
  }
  fault(reader, `"${sign}" is missing`, token ?? ending(reader));
  return false;
}

/** Whether an item ends here; reports any other sign. */
function endOfItem(reader: Reader): boolean {
  const token = reader.tokens[reader.at];
  if (token === undefined || token.text === "," || token.text === "|") return true;
  fault(reader, `"${token.text}" is not expected here`, token);
  return false;
}

function before(reader: Reader): Span {
  return reader.tokens[reader.at - 1] ?? { from: 0, to: 0 };
}

function ending(reader: Reader): Span {
  return { from: reader.text.length, to: reader.text.length };
}

function fault(reader: Reader, message: string, { from, to }: Span): undefined {
  const span = { from, to };
  reader.faults.push({ code: "mesh/layout-syntax", severity: "error", message, span });
  return undefined;
}

function unknownAxis(mesh: DeviceMesh, { text, from, to }: Token): Diagnostic {
  const names = mesh.axes.map((axis) => `"${axis.name}"`).join(", ");
  const message = `"${text}" is no mesh axis; there is ${names === "" ? "none" : names}`;
  return { code: "mesh/unknown-axis", severity: "error", message, span: { from, to } };
}

function inOrder(faults: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...faults].sort((a, b) => (a.span?.from ?? 0) - (b.span?.from ?? 0));
}
