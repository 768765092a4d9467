import type { Span } from "#core/diagnostics";

/** A statement whose result nothing reads; MindSpore keeps it in the graph. */
export interface UnreadStatement extends Span {
  /** Whether it is a copy or a call; these are kept whatever they compute. */
  readonly isKept: boolean;
  /**
   * For a copy `k = h`: span of the statement that assigned `h`, or the copied text if no statement
   * did.
   */
  readonly copied?: Span | string;
}

/** A line of a function body. */
interface Line extends Span {
  readonly text: string;
  /**
   * Index of its block of lines that run in sequence; a new block begins at each change of
   * indentation.
   */
  readonly block: number;
}

/**
 * Statements of a body with a target name that nothing reads, updates in place, and bare
 * expressions.
 */
export function unreadStatements({ from, to }: Span, source: string): readonly UnreadStatement[] {
  const start = source.lastIndexOf("\n", from - 1) + 1;
  const body = source.slice(start, to);
  const lines = linesOf(body, start);
  const isRepeating = lines.some(({ text }) => /^(for|while)\b/u.test(text));
  return lines.flatMap((line): UnreadStatement[] => {
    const { text, ...rest } = line;
    const span = { from: rest.from, to: rest.to };
    // An in-place update of a name is kept too.
    if (/^[\w.]+\s*[-+*/@%]=/u.test(text)) return [{ ...span, isKept: false }];
    if (/^\w+[.[][\w.[\]:, ]*=(?!=)/u.test(text)) return [{ ...span, isKept: false }];
    const [, written, value] = assignment.exec(text) ?? [];
    if (written === undefined) {
      const isCall = /^[\w.]+\(/u.test(text);
      return isCall || !isWord.test(text) ? [{ ...span, isKept: isCall }] : [];
    }
    const names = written.split(",").map((name) => name.trim());
    // Outside of a loop, code before a statement cannot read the statement's result.
    const behind = isRepeating ? body : body.slice(span.to - start);
    if (names.every((name) => isRead(name, behind))) return [];
    const copied = copiedBy(line, value ?? "", lines);
    return [{ ...span, isKept: copied !== undefined, ...(copied !== undefined && { copied }) }];
  });
}

/**
 * Span of the body of the function around a position in the text; `undefined` outside of functions.
 */
export function bodyAround(source: string, at: number): Span | undefined {
  const head = [...source.slice(0, at).matchAll(/^([ \t]*)def [^\n]*\n/gmu)].at(-1);
  if (head === undefined) return undefined;
  const from = head.index + head[0].length;
  const [, indent = ""] = head;
  const end = new RegExp(`^[ \\t]{0,${indent.length}}[^\\s#]`, "mu").exec(source.slice(from));
  return { from, to: end === null ? source.length : from + end.index };
}

/** Matches lines that are no expression, or an expression that computes nothing. */
const isWord =
  /^(return|if|elif|else|for|while|with|def|pass|assert|raise|break|continue|@|\.\.\.|["'\])])/u;

const assignment = /^([\w, ]+?)\s*=(?!=)\s*(.*)$/u;

function linesOf(body: string, from: number): readonly Line[] {
  const depths: number[] = [];
  let block = 0;
  return [...body.matchAll(/^([ \t]*)([^\s#].*)$/gmu)].map((found): Line => {
    const [whole, indent = "", text = ""] = found;
    if (depths.length > 0 && depths.at(-1) !== indent.length) block++;
    depths.push(indent.length);
    const start = from + found.index;
    return { from: start, to: start + whole.length, text, block };
  });
}

/**
 * The source of a copy: the statement that assigned the name earlier in the same block, a parameter
 * of the function (first block only), or an attribute `self.w`. `undefined` otherwise: a name that
 * another block assigned is a new one there, which the graph does not keep.
 */
function copiedBy(line: Line, value: string, lines: readonly Line[]): Span | string | undefined {
  if (/^self(\.\w+)+$/u.test(value)) return value;
  if (!/^[A-Za-z_]\w*$/u.test(value) || value === "None") return undefined;
  const before = lines.slice(0, lines.indexOf(line));
  const made = before.findLast(({ text }) =>
    (assignment.exec(text)?.[1] ?? "").split(",").some((name) => name.trim() === value),
  );
  if (made === undefined) return line.block === 0 ? value : undefined;
  return made.block === line.block ? { from: made.from, to: made.to } : undefined;
}

/** Whether a name occurs anywhere but as an assignment target. */
function isRead(name: string, body: string): boolean {
  const everywhere = [...body.matchAll(new RegExp(`(?<![\\w.])${name}(?!\\w)`, "gu"))];
  return everywhere.some(({ index }) => !/^[\w, ]*=(?!=)/u.test(body.slice(index)));
}
