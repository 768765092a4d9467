import { readPlainStatement } from "./plain-statement.ts";
import type { LogicalLine } from "./scan.ts";
import type { Range } from "./strict-parse.ts";
import type { Statement } from "./syntax.ts";

/** The plain statements of a text, and what is left of it for the grammar. */
export interface PlainLines {
  readonly statements: readonly Statement[];
  readonly rest: readonly Range[];
  /** What each line was read as; none when all is left to the grammar. */
  readonly byLine: readonly (Statement | undefined)[];
}

/**
 * Reads the plain statements of a module, line by line, and leaves the rest to the grammar, whole
 * lines each. Nothing is read so where leaving lines out could change what the others mean: after
 * an indented line or a decorator, and anywhere when a block would join what it does not belong to.
 * The first line is the grammar's too, since the places in its tree count from there.
 *
 * @param known what the first lines are read as
 */
export function readPlainLines(
  text: string,
  lines: readonly LogicalLine[],
  known: PlainLines["byLine"] = [],
): PlainLines {
  const nothing: PlainLines = { statements: [], rest: [{ from: 0, to: text.length }], byLine: [] };
  if (/[\r\f]/.test(text)) return nothing;
  const statements: Statement[] = [];
  const byLine: (Statement | undefined)[] = [];
  const rest: Range[] = [];
  let end = 0;
  let previous: LogicalLine | undefined;
  let isPlain = false;
  for (const line of lines) {
    if (isPlain && (line.indent > 0 || continuing.has(line.firstWord))) return nothing;
    const isFree = line.indent === 0 && previous?.indent === 0 && previous.firstWord !== "@";
    const isKnown = byLine.length < known.length;
    const statement =
      isFree && line.unclosed.length === 0
        ? isKnown
          ? known[byLine.length]
          : readPlainStatement(text, line.from, line.to)
        : undefined;
    byLine.push(statement);
    isPlain = statement !== undefined;
    previous = line;
    if (statement === undefined) continue;
    statements.push(statement);
    if (line.from > end) rest.push({ from: end, to: line.from });
    end = endOfLine(text, line.to);
  }
  if (end < text.length) rest.push({ from: end, to: text.length });
  const spoken = rest.filter(({ from, to }) => !isSilent(text, from, to));
  return { statements, rest: spoken, byLine };
}

/** Words that go on with a block before them. */
const continuing: ReadonlySet<string> = new Set("else elif except finally".split(" "));

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** Whether nothing but blank lines and comments stands there. */
function isSilent(text: string, from: number, to: number): boolean {
  return text
    .slice(from, to)
    .split("\n")
    .every((line) => /^[ \t]*(#|$)/.test(line));
}
