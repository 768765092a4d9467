import type { Span } from "#core/diagnostics";

/** A statement that computes what nothing reads: MindSpore keeps it in the graph all the same. */
export interface UnreadStatement extends Span {
  /** Whether it is a copy or a call: it counts whatever it computes. */
  readonly isKept: boolean;
  /** For a copy `k = h`: the statement that made `h`, or the copied text if no statement did. */
  readonly copied?: Span | string;
}

/** A line of a body. */
interface Line extends Span {
  readonly text: string;
  /** Lines of one block run one after another: one begins wherever lines begin or end to stand deeper. */
  readonly block: number;
}

/** The statements of a body whose names nothing reads, and those that are calls alone. */
export function unreadStatements({ from, to }: Span, source: string): readonly UnreadStatement[] {
  const start = source.lastIndexOf("\n", from - 1) + 1;
  const body = source.slice(start, to);
  const lines = linesOf(body, start);
  const isRepeating = lines.some(({ text }) => /^(for|while)\b/u.test(text));
  return lines.flatMap((line): UnreadStatement[] => {
    const { text, ...rest } = line;
    const span = { from: rest.from, to: rest.to };
    // A name that is changed in place is kept too.
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

/** The body of the function around a place of the text. */
export function bodyAround(source: string, at: number): Span | undefined {
  const head = [...source.slice(0, at).matchAll(/^([ \t]*)def [^\n]*\n/gmu)].at(-1);
  if (head === undefined) return undefined;
  const from = head.index + head[0].length;
  const [, indent = ""] = head;
  const end = new RegExp(`^[ \\t]{0,${indent.length}}[^\\s#]`, "mu").exec(source.slice(from));
  return { from, to: end === null ? source.length : from + end.index };
}

/** Lines that are no expression, or one that computes nothing. */
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
 * The source of a copy: a name that the same block assigned before; in the first block also a
 * parameter of the function; an attribute `self.w`. A name that another block assigns is a new one
 * there, which the graph does not keep.
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

/** Whether a name stands anywhere but in front of a `=`. */
function isRead(name: string, body: string): boolean {
  const everywhere = [...body.matchAll(new RegExp(`(?<![\\w.])${name}(?!\\w)`, "gu"))];
  return everywhere.some(({ index }) => !/^[\w, ]*=(?!=)/u.test(body.slice(index)));
}
