import type { Diagnostic } from "#core/diagnostics";
import { createLineReader, type LineReader, readLine } from "./blocks.ts";
import { checkDeclarations, checkStatements } from "./check-statements.ts";
import { deepest } from "./cursor.ts";
import { scanLines } from "./lines.ts";
import type { LogicalLine, Scan } from "./logical-line.ts";
import { mend } from "./mending.ts";
import type { Statement } from "./syntax.ts";
import { lineNumbers, lineStartAt } from "./tokens.ts";

/** Statements of a text, with its syntax diagnostics. */
export interface Program {
  readonly statements: readonly Statement[];
  /** Diagnostics in text order. */
  readonly diagnostics: readonly Diagnostic[];
}

const mostFaults = 60;

/** Parses a text, like `parseProgram`. */
export type Parse = (source: string, recover: boolean) => Program;

/**
 * Parses a text. Faults with an obvious remedy are repaired first; then each statement is parsed
 * separately, so that a malformed one does not affect others.
 */
export function parseProgram(source: string, recover: boolean): Program {
  return createParser()(source, recover);
}

/** Parse result of one module-level statement, or of several on one line. */
interface Unit {
  /** Offset of its first token. */
  readonly from: number;
  readonly statements: readonly Statement[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The last parsed text, with its units up to the first repair. */
interface Known {
  readonly text: string;
  readonly recover: boolean;
  /** Common indentation of the module's statements. */
  readonly margin: string | undefined;
  readonly units: readonly Unit[];
}

/**
 * `parseProgram` for a text that is being edited: statements that end before the first change are
 * reused as the same objects.
 */
export function createParser(): Parse {
  let known: Known | undefined;
  return (source, recover) => {
    const before = known?.recover === recover ? known : undefined;
    const lineOf = lineNumbers(source);
    const { units: kept, to } = unitsBefore(before, source);
    const scan = scanLines(source, to);
    const mended = mend({ source, lineOf }, scan);
    const margin = kept.length > 0 ? before?.margin : recover ? scan.lines[0]?.margin : "";
    const units = [...kept, ...readUnits(createLineReader(source, scan.lines, lineOf), margin)];
    known = { text: source, recover, margin, units: soundUnits(units, scan, mended) };
    const statements = units.flatMap((unit) => unit.statements);
    const found = [...units.flatMap((unit) => unit.diagnostics), ...checkDeclarations(statements)];
    return { statements, diagnostics: inOrder(mended, found, lineOf, scan.lines.filter(isOpen)) };
  };
}

/** Length of the longest keyword that can continue the previous statement. */
const longestWord = "finally ".length;

/**
 * Units before the first difference from the known text, and the offset at which parsing resumes.
 */
function unitsBefore(
  known: Known | undefined,
  source: string,
): { readonly units: readonly Unit[]; readonly to: number } {
  if (known === undefined) return { units: [], to: 0 };
  const same = sharedLength(known.text, source);
  const next = known.units.findLastIndex(({ from }) => from + longestWord <= same);
  const from = known.units[next]?.from;
  if (from === undefined || next === 0) return { units: [], to: 0 };
  return { units: known.units.slice(0, next), to: lineStartAt(source, from) };
}

/** Length of the common prefix of two texts. */
function sharedLength(one: string, other: string): number {
  let [low, high] = [0, Math.min(one.length, other.length)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (one.slice(low, middle) === other.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Units before the first repair. Repairs may look ahead any distance, so units from there on are
 * not reused.
 */
function soundUnits(
  units: readonly Unit[],
  { blemishes }: Scan,
  mended: readonly Diagnostic[],
): readonly Unit[] {
  const places = [...blemishes.map(({ at }) => at), ...mended.map(({ span }) => span?.from ?? 0)];
  if (places.length === 0) return units;
  const first = places.reduce((least, at) => Math.min(least, at));
  return units.slice(
    0,
    Math.max(
      0,
      units.findLastIndex(({ from }) => from <= first),
    ),
  );
}

function readUnits(reader: LineReader, margin: string | undefined): readonly Unit[] {
  const units: Unit[] = [];
  for (let line = reader.lines[0]; line !== undefined; line = reader.lines[reader.at]) {
    reader.diagnostics = [];
    reader.cursor.hasYield = false;
    const statements = readLine(reader, margin);
    const checked = checkStatements(statements, reader.cursor.hasYield);
    const { diagnostics: found } = reader;
    const diagnostics = checked.length === 0 ? found : [...found, ...checked];
    units.push({ from: line.from, statements, diagnostics });
  }
  return units;
}

const invalid = "invalid syntax";

function isOpen({ unclosed }: LogicalLine): boolean {
  return unclosed.length > 0 && unclosed.length < deepest;
}

function isBehindOpen({ unclosed: [open], to }: LogicalLine, place: number): boolean {
  return open !== undefined && open.at < place && place <= to;
}

/**
 * Diagnostics in text order, one per position: the first is the most precise. A plain "invalid
 * syntax" is dropped on a line with another diagnostic. After an unclosed bracket, later faults of
 * the same statement are dropped, since they may follow from it.
 */
function inOrder(
  mended: readonly Diagnostic[],
  found: readonly Diagnostic[],
  lineOf: (offset: number) => number,
  open: readonly LogicalLine[],
): readonly Diagnostic[] {
  if (mended.length + found.length === 0) return [];
  const byPlace = new Map<number, Diagnostic>();
  const lines = new Set<number>();
  const isMended = new Set(mended);
  for (const diagnostic of [...mended, ...found]) {
    const from = diagnostic.span?.from ?? 0;
    const line = lineOf(from);
    const isEcho =
      (diagnostic.message.startsWith(invalid) && lines.has(line)) ||
      (!isMended.has(diagnostic) && open.some((each) => isBehindOpen(each, from)));
    if (!isEcho && !byPlace.has(from)) byPlace.set(from, diagnostic);
    lines.add(line);
  }
  const ordered = [...byPlace].sort(([a], [b]) => a - b).map(([, diagnostic]) => diagnostic);
  return ordered.slice(0, mostFaults);
}

/** Parsed library modules: a few constant texts, whose statements never change. */
const libraries = new Map<string, readonly Statement[]>();

/**
 * Statements of a library module, with spans before the beginning of any text. Each module is
 * parsed once, so its statements are shared by all evaluations.
 */
export function parseLibrary(text: string): readonly Statement[] {
  const read = libraries.get(text) ?? readLibrary(text);
  libraries.set(text, read);
  return read;
}

function readLibrary(text: string): readonly Statement[] {
  const scan = scanLines(text);
  const units = readUnits(
    createLineReader("", scan.lines.map(unplaced), () => 1),
    "",
  );
  const mended = mend({ source: text, lineOf: () => 1 }, scan);
  const [fault] = [...mended, ...units.flatMap(({ diagnostics }) => diagnostics)];
  if (fault !== undefined) {
    throw new Error(`a module of the evaluator is malformed: ${fault.message}`);
  }
  return units.flatMap(({ statements }) => statements);
}

function unplaced(line: LogicalLine): LogicalLine {
  return { ...line, tokens: line.tokens.map((token) => ({ ...token, from: -1, to: -1 })) };
}
