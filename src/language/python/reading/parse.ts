import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/python";
import type { Diagnostic } from "#core/diagnostics";
import { checkStatements } from "./check-statements.ts";
import { forgottenComma } from "./forgotten-comma.ts";
import { lineNumbers } from "./line-numbers.ts";
import { faultDiagnostic, lowerStatements } from "./lower-statement.ts";
import { type PlainLines, readPlainLines } from "./plain-lines.ts";
import { type Reading, SyntaxFault } from "./reading.ts";
import { type KnownLines, type Repaired, repair } from "./repair.ts";
import { type LogicalLine, scan } from "./scan.ts";
import { childrenOf, parseStrictly, strictParser } from "./strict-parse.ts";
import type { Statement } from "./syntax.ts";
import { namesBoundBy } from "./targets.ts";

/** A text as statements, and what is wrong with it. */
export interface Program {
  readonly statements: readonly Statement[];
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Units of malformed text that the grammar's own recovery, which can be slow, may look at. */
const recoveryBudget = 12_000;
const longestRecovered = 4_000;
const mostFaults = 60;

/** Reads a text, as `parseProgram` does. */
export type Parse = (source: string, recover: boolean) => Program;

/**
 * Reads a text. Where the grammar refuses it, it is repaired where the remedy is obvious, then read
 * statement by statement: one that is malformed does not keep the others from being read.
 */
export function parseProgram(source: string, recover: boolean): Program {
  return createParser()(source, recover);
}

/** A text that needed no repair, and what it was read as. */
interface Sound {
  readonly text: string;
  readonly recover: boolean;
  readonly lines: readonly LogicalLine[];
  readonly plain: PlainLines;
  /** What the grammar was left with. */
  readonly read: Program;
}

/**
 * `parseProgram` for one text that is being edited: what stands before the first change is not read
 * again, its statements are the very same objects.
 */
export function createParser(): Parse {
  let last: Sound | undefined;
  return (source, recover) => {
    const given: Given = { source, lineOf: lineNumbers(source), recover };
    const before = last?.recover === recover ? last : undefined;
    const known = knownLines(before, source);
    const repaired = repair(source, given.lineOf, known);
    const { text, original, diagnostics, lines } = repaired;
    const byLine = before?.plain.byLine.slice(0, known.lines.length);
    const plain = lines === undefined ? undefined : readPlainLines(text, lines, byLine);
    const same = plain !== undefined && isSameRest(before, plain, known.to);
    const nodes = same ? [] : parseStrictly(text, plain?.rest);
    if (nodes === undefined) return readChunks(given, repaired);
    const read = same && before ? before.read : readNodes(given, { text, original }, nodes);
    if (lines !== undefined && plain !== undefined) last = { text, recover, lines, plain, read };
    return {
      statements: inTextOrder(read.statements, plain?.statements ?? []),
      diagnostics: inOrder([...diagnostics, ...read.diagnostics]),
    };
  };
}

/** The lines of a text that end before another one differs from it, and another line with them. */
function knownLines(before: Sound | undefined, source: string): KnownLines {
  if (before === undefined) return { lines: [], to: 0 };
  const same = sharedLength(before.text, source);
  const next = before.lines.findLastIndex(({ from }) => from < same);
  const to = before.lines[next]?.from;
  if (to === undefined) return { lines: [], to: 0 };
  return { lines: before.lines.slice(0, next), to };
}

/** How far two texts are the same from their beginning on. */
function sharedLength(one: string, other: string): number {
  let [low, high] = [0, Math.min(one.length, other.length)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (one.slice(low, middle) === other.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether the grammar is left with the same text as before at the same places, up to one place. */
function isSameRest(before: Sound | undefined, { rest }: PlainLines, to: number): boolean {
  const known = before?.plain.rest;
  return (
    known !== undefined &&
    known.length === rest.length &&
    rest.every((range, at) => {
      const other = known[at];
      return range.to <= to && range.from === other?.from && range.to === other.to;
    })
  );
}

/** Reads a module of our own, as `parseLibrary` does. */
export type ParseLibrary = (text: string) => readonly Statement[];

/** `parseLibrary` that reads each text once, whose statements are the very same objects. */
export function createLibraryParser(): ParseLibrary {
  const known = new Map<string, readonly Statement[]>();
  return (text) => {
    const read = known.get(text) ?? parseLibrary(text);
    known.set(text, read);
    return read;
  };
}

/** The statements of a text of our own, placed before the beginning of any text. */
export function parseLibrary(text: string): readonly Statement[] {
  const given: Given = { source: text, lineOf: () => 1, recover: true };
  const nodes = parseStrictly(text);
  const read = readNodes(given, { text, original: () => -1 }, nodes ?? []);
  const [fault] = read.diagnostics;
  if (nodes === undefined || fault !== undefined) {
    throw new Error(`a module of the evaluator is malformed: ${fault?.message ?? "no parse"}`);
  }
  return read.statements;
}

/** Both lists are in the order of the text. */
function inTextOrder(
  some: readonly Statement[],
  others: readonly Statement[],
): readonly Statement[] {
  const statements: Statement[] = [];
  let at = 0;
  for (const other of others) {
    for (let next = some[at]; next && next.span.from < other.span.from; next = some[at]) {
      statements.push(next);
      at += 1;
    }
    statements.push(other);
  }
  for (const next of some.slice(at)) statements.push(next);
  return statements;
}

/** The text as given, and how it is read. */
interface Given {
  readonly source: string;
  readonly lineOf: (offset: number) => number;
  readonly recover: boolean;
}

/** Lowers the nodes of a text or of a piece of it. */
function readNodes(
  { source, lineOf, recover }: Given,
  piece: Pick<Reading, "text" | "original">,
  nodes: readonly SyntaxNode[],
): Program {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => {
    diagnostics.push(diagnostic);
  };
  const reading: Reading = { ...piece, source, lineOf, depth: 0, owner: undefined, report };
  const statements = lowerStatements(reading, nodes, recover ? undefined : "");
  return { statements, diagnostics: [...diagnostics, ...checkStatements(statements)] };
}

/** By place, each place once: what was said first of it is the most precise. */
function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const byPlace = new Map<number, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const from = diagnostic.span?.from ?? 0;
    if (!byPlace.has(from)) byPlace.set(from, diagnostic);
  }
  const ordered = [...byPlace].sort(([a], [b]) => a - b).map(([, diagnostic]) => diagnostic);
  return ordered.slice(0, mostFaults);
}

/** Statement by statement, each parsed alone. */
function readChunks(given: Given, { text, original, diagnostics: known }: Repaired): Program {
  const diagnostics = [...known];
  const statements: Statement[] = [];
  const add = (read: Program) => {
    statements.push(...read.statements);
    if (diagnostics.length >= mostFaults) return;
    diagnostics.push(...withoutEchoes(given.lineOf, read.diagnostics, diagnostics));
  };
  let budget = recoveryBudget;
  for (const { from, to } of chunksOf(scan(text).lines, text)) {
    const piece = text.slice(from, to);
    const place = (offset: number) => original(offset + from);
    let nodes = parseStrictly(piece);
    if (nodes === undefined && piece.length <= Math.min(budget, longestRecovered)) {
      budget -= piece.length;
      nodes = compoundAlone(childrenOf(parser.parse(piece).topNode));
    }
    add(
      nodes === undefined
        ? malformed(piece, place)
        : readNodes(given, { text: piece, original: place }, nodes),
    );
  }
  return { statements, diagnostics: inOrder(diagnostics) };
}

/** Only in a definition or another compound statement may some inner statements be sound. */
function compoundAlone(nodes: readonly SyntaxNode[]): readonly SyntaxNode[] | undefined {
  const [only] = nodes;
  const isCompound =
    nodes.length === 1 &&
    /^(FunctionDefinition|ClassDefinition|DecoratedStatement|(If|For|While|With|Try)Statement)$/.test(
      only?.name ?? "",
    );
  return isCompound ? nodes : undefined;
}

const invalid = "invalid syntax";

/** A statement that is malformed as a whole, blamed where the grammar stops. */
function malformed(piece: string, place: (offset: number) => number): Program {
  const at = faultPlace(piece);
  const token = /^(\w+|\S)/.exec(piece.slice(at))?.[0] ?? "";
  const span = { from: place(at), to: place(at + token.length) };
  const whole = { from: place(0), to: place(piece.trimEnd().length) };
  const { hint, fixes } = forgottenComma(piece, at, place) ?? { hint: "", fixes: [] };
  const fault = new SyntaxFault("SyntaxError", `${invalid}${hint}`, span, fixes);
  return {
    statements: [{ kind: "malformed", names: namesBoundBy(piece), span: whole }],
    diagnostics: [faultDiagnostic(fault)],
  };
}

/** Where the grammar finds no way on; it says so only in the text of its error. */
function faultPlace(piece: string): number {
  try {
    strictParser.parse(piece);
    return 0;
  } catch (error) {
    const found = error instanceof SyntaxError ? /\d+/.exec(error.message)?.[0] : undefined;
    const at = Math.min(Number(found ?? 0), piece.length);
    const skipped = /^[ \t\f]*/.exec(piece.slice(at))?.[0].length ?? 0;
    return at + skipped;
  }
}

/** A plain "invalid syntax" says nothing new on a line that has a better diagnostic. */
function withoutEchoes(
  lineOf: (offset: number) => number,
  found: readonly Diagnostic[],
  known: readonly Diagnostic[],
): readonly Diagnostic[] {
  const lines = new Set(known.map(({ span }) => lineOf(span?.from ?? 0)));
  return found.filter(
    ({ message, span }) => !message.startsWith(invalid) || !lines.has(lineOf(span?.from ?? 0)),
  );
}

/** Lines that form one statement of the module: those indented deeper follow their header. */
function chunksOf(
  lines: readonly LogicalLine[],
  text: string,
): readonly { readonly from: number; readonly to: number }[] {
  const base = lines[0]?.indent ?? 0;
  const starts: number[] = [];
  let previous: LogicalLine | undefined;
  for (const line of lines) {
    const continues =
      line.indent > base ||
      previous?.firstWord === "@" ||
      ["else", "elif", "except", "finally"].includes(line.firstWord);
    if (!continues || starts.length === 0) starts.push(text.lastIndexOf("\n", line.from) + 1);
    previous = line;
  }
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? text.length }));
}
