import type { Diagnostic, Fix, TextEdit } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { desugar } from "./desugar.ts";
import { patchWithOffsets } from "./patch-with-offsets.ts";
import { type Blemish, type LogicalLine, scan } from "./scan.ts";

/** A text that reads on where the given one could not, and what was wrong. */
export interface Repaired {
  readonly text: string;
  /** The offset in the text as given. */
  readonly original: (offset: number) => number;
  readonly diagnostics: readonly Diagnostic[];
  /** The statement lines of a text that needed no repair. */
  readonly lines?: readonly LogicalLine[];
}

const mostRemedies = 300;
const byteOrderMark = "\ufeff";

/** Lines that are known from another text, which needed no repair. */
export interface KnownLines {
  readonly lines: readonly LogicalLine[];
  /** Both texts are the same up to here, where the line behind them begins. */
  readonly to: number;
}

const noneKnown: KnownLines = { lines: [], to: 0 };

/** Mends what has an obvious remedy; every remedy is an error with a fix. */
export function repair(source: string, lineOf: LineOf, known: KnownLines = noneKnown): Repaired {
  const found = scan(source, known.lines, known.to);
  // A text with hundreds of faults is no program: what is not repaired is malformed.
  const blemishes = found.blemishes.slice(0, mostRemedies);
  const { lines } = found;
  // The last of the known lines may be a header whose body comes only now.
  const first = Math.max(0, known.lines.length - 1);
  const notes = [
    ...fences(source, blemishes),
    ...characters(blemishes),
    ...blemishes.flatMap((blemish) => mendBlemish(source, lineOf, blemish)),
    ...mendLines(source, lineOf, lines, first),
  ];
  const isMarked = source.startsWith(byteOrderMark);
  const mark: readonly TextEdit[] = isMarked ? [{ from: 0, to: 1, text: "" }] : [];
  const spelling = desugar(source, first === 0 ? lines : lines.slice(first));
  const all = [...mark, ...notes.flatMap((note) => note.edits), ...spelling];
  const { text, original } = patchWithOffsets(source, all);
  const diagnostics = notes.flatMap((note) => note.diagnostic ?? []);
  const isSound = all.length === 0 && diagnostics.length === 0 && found.blemishes.length === 0;
  return { text, original, diagnostics, ...(isSound && { lines }) };
}

type LineOf = (offset: number) => number;

/** One remedy: the edits that let reading go on, and what is said about it. */
interface Note {
  readonly edits: readonly TextEdit[];
  readonly diagnostic?: Diagnostic;
}

function note(
  message: string,
  from: number,
  to: number,
  edits: readonly TextEdit[],
  title: string,
  kind: "SyntaxError" | "IndentationError" = "SyntaxError",
): Note {
  const fixes: readonly Fix[] = edits.length === 0 ? [] : [{ title, edits }];
  const code = kind === "SyntaxError" ? "python/syntax-error" : "python/indentation-error";
  const span = { from, to: Math.max(to, from) };
  const base: Diagnostic = { code, severity: "error", message, span, upstream: kind };
  return { edits, diagnostic: fixes.length === 0 ? base : { ...base, fixes } };
}

function fences(source: string, blemishes: readonly Blemish[]): readonly Note[] {
  const found = blemishes.filter((blemish) => blemish.kind === "fence");
  const [first] = found;
  if (first === undefined) return [];
  const edits = found.map(({ from, to }) => {
    const end = source.charAt(to) === "\n" ? to + 1 : to;
    return { from, to: end, text: "" };
  });
  const mark = source.slice(first.from, first.to).trim().slice(0, 3);
  const message = `"${mark}" is the fence of a code block in Markdown, no Python`;
  const said = note(message, first.from, first.to, edits, `Remove the lines with ${mark}`);
  return [said];
}

const straight: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "‚": "'",
  "′": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "″": '"',
  "\u00a0": " ",
  "\u2002": " ",
  "\u2003": " ",
  "\u2009": " ",
  "\u202f": " ",
  "\u3000": " ",
  "\ufeff": " ",
  "\u200b": " ",
  "–": "-",
  "—": "-",
  "−": "-",
  "（": "(",
  "）": ")",
  "，": ",",
  "：": ":",
  "×": "*",
};

/** Typographic characters get one diagnostic of each sort, at the first, with a fix for all. */
function characters(blemishes: readonly Blemish[]): readonly Note[] {
  const found = blemishes.filter(
    (blemish) =>
      blemish.kind === "character" && (blemish.at > 0 || blemish.character !== byteOrderMark),
  );
  const sorts = new Map<string, { readonly at: number; readonly character: string }[]>();
  for (const blemish of found) {
    if (blemish.kind !== "character") continue;
    const { at, character } = blemish;
    const plain = fieldOf(straight, character);
    const sort = plain === undefined ? `other ${character}` : /['"]/.test(plain) ? "quote" : plain;
    sorts.set(sort, [...(sorts.get(sort) ?? []), { at, character }]);
  }
  return [...sorts].slice(0, 20).flatMap(([sort, places]) => characterNote(sort, places));
}

function characterNote(
  sort: string,
  places: readonly { readonly at: number; readonly character: string }[],
): readonly Note[] {
  const [first] = places;
  if (first === undefined) return [];
  const { at, character } = first;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const isShown = /[^\p{C}\p{Z}]/u.test(character);
  const what = isShown ? `invalid character '${character}'` : "invalid non-printable character";
  const message = isShown ? `${what} (U+${code})` : `${what} U+${code}`;
  const edits = places.flatMap((place) => {
    const plain = fieldOf(straight, place.character);
    return plain === undefined
      ? []
      : [{ from: place.at, to: place.at + place.character.length, text: plain }];
  });
  if (sort !== "quote") {
    const title = "Replace by plain characters";
    return [note(message, at, at + character.length, edits, title)];
  }
  const hint = `${message}: a typographic quote; Python's quotes are ' and "`;
  return [note(hint, at, at + character.length, edits, "Make all quotes straight")];
}

function mendBlemish(source: string, lineOf: LineOf, blemish: Blemish): readonly Note[] {
  switch (blemish.kind) {
    case "yield":
      return [{ edits: [{ from: blemish.at, to: blemish.at, text: " None" }] }];
    case "unmatched": {
      const { at, mark, open } = blemish;
      const message =
        open === undefined
          ? `unmatched '${mark}'`
          : `closing parenthesis '${mark}' does not match opening parenthesis '${open.mark}'`;
      const text = fieldOf(partners, open?.mark ?? "") ?? "";
      const title = open === undefined ? `Take ${mark} out` : `Write ${text}`;
      return [note(message, at, at + 1, [{ from: at, to: at + 1, text }], title)];
    }
    case "unterminated":
      return [unterminated(source, lineOf, blemish)];
    default:
      return [];
  }
}

/** The closing quote goes before the brackets and signs that must have been meant as code. */
function unterminated(
  source: string,
  lineOf: LineOf,
  { from, to, quotes, open }: Extract<Blemish, { kind: "unterminated" }>,
): Note {
  const start = from + source.slice(from, to).indexOf(quotes) + quotes.length;
  const body = source.slice(start, to).trimEnd();
  const line = lineOf(quotes.length === 3 ? source.length : from);
  const what =
    quotes.length === 3
      ? "triple-quoted string literal"
      : "string literal: its closing quote is missing";
  const message = `unterminated ${what} (detected at line ${line})`;
  const tail = open.length === 0 ? "" : (/[)\]},:]*$/.exec(body)?.[0] ?? "");
  const at = start + body.length - tail.length;
  const edits = quotes.length === 3 ? [] : [{ from: at, to: at, text: quotes }];
  return note(message, from, to, edits, `Close the string with ${quotes}`);
}

const compound: ReadonlySet<string> = new Set(
  "if elif else for while def class with try except finally".split(" "),
);

function mendLines(
  source: string,
  lineOf: LineOf,
  lines: readonly LogicalLine[],
  first: number,
): readonly Note[] {
  const notes: Note[] = [];
  for (let index = first; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined || notes.length >= mostRemedies) break;
    notes.push(...mendLine(source, lineOf, line, lines[index + 1]));
  }
  return notes;
}

/** Brackets that stay open, a missing colon, a missing body. */
function mendLine(
  source: string,
  lineOf: LineOf,
  line: LogicalLine,
  next: LogicalLine | undefined,
): readonly Note[] {
  const [open] = line.unclosed;
  if (open !== undefined) return [unclosed(source, line)];
  if (line.firstWord === "except")
    return [...exceptStar(source, line), ...mendHeader(lineOf, line, next)];
  return mendHeader(lineOf, line, next);
}

/** Groups of exceptions are not there; their handlers read as plain ones. */
function exceptStar(source: string, line: LogicalLine): readonly Note[] {
  const star = /^except\s*\*/.exec(source.slice(line.from, line.to));
  if (star === null) return [];
  const to = line.from + star[0].length;
  const message = "except* is not supported here";
  const span = { from: line.from, to };
  return [
    {
      edits: [{ from: to - 1, to, text: " " }],
      diagnostic: { code: "python/not-supported", severity: "error", message, span },
    },
  ];
}

function mendHeader(
  lineOf: LineOf,
  line: LogicalLine,
  next: LogicalLine | undefined,
): readonly Note[] {
  if (!compound.has(line.firstWord)) return [];
  const hasBody = next !== undefined && next.indent > line.indent;
  if (!line.hasColon && hasBody) {
    const edits = [{ from: line.to, to: line.to, text: ":" }];
    return [note("expected ':'", line.to, line.to + 1, edits, "Add the colon")];
  }
  if (line.last !== ":" || hasBody) return [];
  const number = lineOf(line.from);
  const message = `expected an indented block after ${described(line.firstWord)} on line ${number}`;
  const edits = [{ from: line.to, to: line.to, text: " pass" }];
  return [note(message, line.from, line.to, edits, "Add pass", "IndentationError")];
}

function described(word: string): string {
  if (word === "def") return "function definition";
  if (word === "class") return "class definition";
  return `'${word}' statement`;
}

const partners: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

function unclosed(source: string, line: LogicalLine): Note {
  const marks = [...line.unclosed].reverse().map(({ mark }) => fieldOf(partners, mark) ?? "");
  const isHeader = compound.has(line.firstWord) && line.last === ":";
  const at = isHeader ? line.to - 1 : line.to;
  const before = source.slice(line.from, at).trimEnd();
  const place = line.from + before.length;
  const [open] = line.unclosed;
  const from = open?.at ?? line.from;
  const edits = [{ from: place, to: place, text: marks.join("") }];
  const message = `'${open?.mark ?? "("}' was never closed`;
  return note(message, from, from + 1, edits, `Close with ${marks.join("")}`);
}
