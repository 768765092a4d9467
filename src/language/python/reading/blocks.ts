import type { Diagnostic, Fix } from "#core/diagnostics";
import { namesBoundBy } from "./check-statements.ts";
import { blocksOf } from "./children.ts";
import { readCompound } from "./compound.ts";
import {
  type Cursor,
  deepen,
  enterTokens,
  expect,
  faultDiagnostic,
  SyntaxFault,
  take,
} from "./cursor.ts";
import type { Blocks } from "./definitions.ts";
import { rules } from "./expressions.ts";
import { withForgottenComma } from "./forgotten-comma.ts";
import type { LogicalLine } from "./logical-line.ts";
import { endStatement, readSimple } from "./statements.ts";
import type { Statement } from "./syntax.ts";
import { mixesTabs, type Token } from "./tokens.ts";

/** Reads the lines of a text in order. */
export interface LineReader extends Blocks {
  readonly source: string;
  readonly lines: readonly LogicalLine[];
  /** Index of the next line. */
  at: number;
  /** Diagnostics of the lines read so far. */
  diagnostics: Diagnostic[];
}

export function createLineReader(
  source: string,
  lines: readonly LogicalLine[],
  lineOf: (offset: number) => number,
): LineReader {
  const end: Token = { kind: "end", text: "", from: 0, to: 0 };
  const cursor: Cursor = {
    source,
    lineOf,
    tokens: [end],
    at: 0,
    token: end,
    end: 0,
    depth: 0,
    owner: undefined,
    hasYield: false,
    rules,
  };
  const reader: LineReader = {
    cursor,
    source,
    lines,
    at: 0,
    diagnostics: [],
    indent: () => lines[reader.at - 1]?.indent ?? 0,
    suite: () => readSuite(reader),
    follows: (indent, word) => {
      const next = lines[reader.at];
      return next?.indent === indent && next.tokens[0]?.text === word && goOn(reader, indent);
    },
    next: (indent) => goOn(reader, indent),
    enter: (colon) => enterBlock(reader, colon),
  };
  return reader;
}

function goOn(reader: LineReader, indent: number): boolean {
  const next = reader.lines[reader.at];
  if (next === undefined || next.indent < indent) return false;
  enterTokens(reader.cursor, next.tokens);
  reader.at += 1;
  return true;
}

function report(reader: LineReader, fault: SyntaxFault): void {
  reader.diagnostics.push(faultDiagnostic(fault));
}

/** Keywords that continue a statement after its block. */
const continuing: ReadonlySet<string> = new Set("else elif except finally".split(" "));

const beginning: ReadonlySet<string> = new Set(
  "if while for try with def class async @".split(" "),
);

/** Whether a compound statement, or a later clause of one, begins at the cursor. */
function isCompound(cursor: Cursor): boolean {
  const { kind, text } = cursor.token;
  if (kind === "name") return text === "match" && isMatch(cursor);
  return kind !== "string" && (beginning.has(text) || continuing.has(text));
}

/** `match` is a name like others unless a value and a colon follow. */
function isMatch({ tokens, at }: Cursor): boolean {
  const next = tokens[at + 1];
  return tokens.at(-2)?.text === ":" && next !== undefined && !/^(?:[=.,:;)\]}]|)$/.test(next.text);
}

/**
 * Statements that begin on the next line: the simple ones on it, or a compound one with its blocks.
 */
export function readLine(reader: LineReader, margin: string | undefined): readonly Statement[] {
  const { cursor, lines, at } = reader;
  const line = lines[at];
  if (line === undefined) return [];
  goOn(reader, 0);
  if (margin !== undefined && line.margin !== margin) reportMargin(reader, line, margin);
  if (isCompound(cursor)) return [readSafely(reader, line)];
  const statements = readSimples(reader);
  // More indented lines belong to a malformed header, or to a continued line.
  if (statements.at(-1)?.kind === "malformed") reader.at = statementEnd(lines, at);
  return statements;
}

/** Statements of the following lines with at least the given indentation. */
function readBlock(reader: LineReader, indent: number): readonly Statement[] {
  const statements: Statement[] = [];
  const margin = reader.lines[reader.at]?.margin;
  for (;;) {
    const next = reader.lines[reader.at];
    if (next === undefined || next.indent < indent) return statements;
    for (const statement of readLine(reader, margin)) statements.push(statement);
  }
}

function readSuite(reader: LineReader): readonly Statement[] {
  const { cursor, lines } = reader;
  const colon = expect(cursor, ":");
  if (cursor.token.kind !== "end") return readSimples(reader);
  const next = lines[reader.at];
  if (next === undefined || next.indent <= reader.indent()) throw noBlock(reader, colon);
  return readBlock(reader, next.indent);
}

function enterBlock(reader: LineReader, colon: Token): number {
  const next = reader.lines[reader.at];
  if (next === undefined || next.indent <= reader.indent()) throw noBlock(reader, colon);
  if (reader.cursor.token.kind !== "end") endStatement(reader.cursor);
  goOn(reader, next.indent);
  return next.indent;
}

const mixedTabs = "inconsistent use of tabs and spaces in indentation";

function noBlock({ cursor, lines, at }: LineReader, { from }: Token): SyntaxFault {
  const [header, next] = [lines[at - 1], lines[at]];
  if (header !== undefined && next !== undefined && mixesTabs(next.margin, header.margin))
    return new SyntaxFault("TabError", mixedTabs, { from: next.from, to: next.to });
  const message = `expected an indented block after the statement on line ${cursor.lineOf(from)}`;
  return new SyntaxFault("IndentationError", message, { from, to: from + 1 });
}

/** Simple statements separated by `;`, to the end of the line. */
function readSimples(reader: LineReader): readonly Statement[] {
  const { cursor } = reader;
  const statements = [readSimpleSafely(reader)];
  while (take(cursor, ";") && cursor.token.kind !== "end")
    statements.push(readSimpleSafely(reader));
  return statements;
}

function readSimpleSafely(reader: LineReader): Statement {
  const { cursor } = reader;
  const { depth, at } = cursor;
  try {
    deepen(cursor);
    const statement = readSimple(cursor);
    endStatement(cursor);
    cursor.depth = depth;
    return statement;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxFault)) throw thrown;
    cursor.depth = depth;
    report(reader, withForgottenComma(cursor, at, thrown));
    return skipSimple(reader, at);
  }
}

/** Skips a malformed simple statement. */
function skipSimple({ cursor, source }: LineReader, start: number): Statement {
  const { tokens } = cursor;
  let depth = 0;
  let at = start;
  for (; tokens[at]?.kind !== "end"; at += 1) {
    const { kind, text } = tokens[at] ?? { kind: "sign", text: ";" };
    if (kind !== "sign") continue;
    if (text === ";" && depth === 0) break;
    if (/^[([{]$/.test(text)) depth += 1;
    else if (/^[)\]}]$/.test(text)) depth -= 1;
  }
  const from = tokens[start]?.from ?? 0;
  const to = Math.max(tokens[at - 1]?.to ?? from, from);
  cursor.at = at;
  cursor.token = tokens[at] ?? cursor.token;
  cursor.end = to;
  return { kind: "malformed", names: namesBoundBy(source.slice(from, to)), span: { from, to } };
}

/**
 * A compound statement. A fault in its header makes it malformed; faults inside its blocks stay
 * there.
 */
function readSafely(reader: LineReader, line: LogicalLine): Statement {
  const { cursor, source, lines } = reader;
  const { depth, owner } = cursor;
  const start = reader.at - 1;
  try {
    deepen(cursor);
    const statement = trimmed(readCompound(reader));
    cursor.depth = depth;
    return statement;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxFault)) throw thrown;
    cursor.depth = depth;
    cursor.owner = owner;
    report(reader, thrown);
    reader.at = statementEnd(lines, start);
    const to = lines[reader.at - 1]?.to ?? line.to;
    const names = namesBoundBy(source.slice(line.from, to));
    return { kind: "malformed", names, span: { from: line.from, to } };
  }
}

/** A compound statement ends with its last inner statement. */
function trimmed(statement: Statement): Statement {
  const last = blocksOf(statement).flat().at(-1);
  if (last === undefined) return statement;
  return { ...statement, span: { from: statement.span.from, to: last.span.to } };
}

const decorated: ReadonlySet<string> = new Set("@ def class async".split(" "));

/**
 * Index of the line after a statement with everything that belongs to it: blocks, further clauses,
 * decorated definitions.
 */
function statementEnd(lines: readonly LogicalLine[], start: number): number {
  const { indent = 0, tokens } = lines[start] ?? {};
  let word = tokens?.[0]?.text ?? "";
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined || line.indent < indent) return at;
    if (line.indent > indent) continue;
    const next = line.tokens[0]?.text ?? "";
    const goesOn = continuing.has(next) || (word === "@" && decorated.has(next));
    if (!goesOn) return at;
    word = next;
  }
  return lines.length;
}

function reportMargin(reader: LineReader, line: LogicalLine, expected: string): void {
  const { source } = reader;
  const isMixed = mixesTabs(line.margin, expected);
  const message = isMixed
    ? mixedTabs
    : line.margin.length > expected.length
      ? "unexpected indent"
      : "unindent does not match any outer indentation level";
  const end = source.indexOf("\n", line.from);
  const to = Math.min(line.to, end < 0 ? source.length : end);
  const unit = /^\t+$/.test(expected) ? "tab" : "space";
  const spaces = expected.length === 1 ? `1 ${unit}` : `${expected.length} ${unit}s`;
  const title = expected === "" ? "Take the indentation out" : `Indent by ${spaces}`;
  const start = source.slice(0, line.from).search(/[^\n\r]*$/);
  const fix: Fix = { title, edits: [{ from: start, to: line.from, text: expected }] };
  const kind = isMixed ? "TabError" : "IndentationError";
  report(reader, new SyntaxFault(kind, message, { from: line.from, to }, [fix]));
}
