import type { Diagnostic, Fix, TextEdit } from "#core/diagnostics";
import { append, fieldOf } from "#core/records";
import { deepest } from "./cursor.ts";
import { partners } from "./lines.ts";
import type { Blemish, LogicalLine, Scan } from "./logical-line.ts";
import { mixesTabs, straight, type Token } from "./tokens.ts";

const mostRemedies = 300;

/** Source text and its line numbers, for messages. */
interface Text {
  readonly source: string;
  readonly lineOf: (offset: number) => number;
}

/**
 * Repairs faults with an obvious remedy by inserting tokens into the lines. Each repair is reported
 * as an error with a fix.
 */
export function mend(text: Text, { lines, blemishes }: Scan): readonly Diagnostic[] {
  // A text with hundreds of faults is no program; unrepaired lines count as malformed.
  const found = blemishes.slice(0, mostRemedies);
  const said = [...fences(text, found), ...characters(found), ...found.flatMap(sayer(text))];
  let remedies = 0;
  for (const [index, line] of lines.entries()) {
    if (remedies >= mostRemedies) break;
    const notes = mendLine(text, line, lines[index + 1]);
    remedies += notes.length;
    said.push(...notes);
  }
  return said;
}

function note(
  message: string,
  from: number,
  to: number,
  edits: readonly TextEdit[],
  title: string,
  kind: "SyntaxError" | "IndentationError" = "SyntaxError",
): Diagnostic {
  const fixes: readonly Fix[] = edits.length === 0 ? [] : [{ title, edits }];
  const code = kind === "SyntaxError" ? "python/syntax-error" : "python/indentation-error";
  const span = { from, to: Math.max(to, from) };
  const base: Diagnostic = { code, severity: "error", message, span, upstream: kind };
  return fixes.length === 0 ? base : { ...base, fixes };
}

function fences({ source }: Text, blemishes: readonly Blemish[]): readonly Diagnostic[] {
  const found = blemishes.filter((blemish) => blemish.kind === "fence");
  const [first] = found;
  if (first === undefined) return [];
  const edits = found.map(({ at, to }) => {
    const end = source.charAt(to) === "\n" ? to + 1 : to;
    return { from: at, to: end, text: "" };
  });
  const mark = source.slice(first.at, first.to).trim().slice(0, 3);
  const message = `"${mark}" is the fence of a code block in Markdown, no Python`;
  return [note(message, first.at, first.to, edits, `Remove the lines with ${mark}`)];
}

interface CharacterAt {
  readonly at: number;
  readonly character: string;
}

/**
 * One diagnostic per sort of typographic character, at its first occurrence, with a fix for all of
 * them.
 */
function characters(blemishes: readonly Blemish[]): readonly Diagnostic[] {
  const sorts = new Map<string, CharacterAt[]>();
  for (const blemish of blemishes) {
    if (blemish.kind !== "character") continue;
    const { character } = blemish;
    const plain = fieldOf(straight, character);
    const sort = plain === undefined ? `other ${character}` : /['"]/.test(plain) ? "quote" : plain;
    append(sorts, sort, blemish);
  }
  return [...sorts].slice(0, 20).flatMap(([sort, places]) => characterNote(sort, places));
}

function characterNote(sort: string, places: readonly CharacterAt[]): readonly Diagnostic[] {
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

/** Makes diagnostics of blemishes that the scan has repaired already. */
function sayer(text: Text): (blemish: Blemish) => readonly Diagnostic[] {
  return (blemish) => {
    if (blemish.kind === "unmatched") return [unmatched(text, blemish)];
    return blemish.kind === "unterminated" ? [unterminated(text, blemish)] : [];
  };
}

/**
 * CPython's message for a mismatched bracket, which names the opening bracket's line if it is
 * another one.
 */
function unmatched(
  { lineOf }: Text,
  { at, mark, open, remedy, meant }: Extract<Blemish, { kind: "unmatched" }>,
): Diagnostic {
  const line = open === undefined ? undefined : lineOf(open.at);
  const place = line === undefined || line === lineOf(at) ? "" : ` on line ${line}`;
  const message =
    open === undefined
      ? `unmatched '${mark}'`
      : `closing parenthesis '${mark}' does not match opening parenthesis '${open.mark}'${place}`;
  const titles = {
    insert: `Close with ${meant}`,
    replace: `Write ${meant}`,
    "leave out": `Take ${mark} out`,
  };
  const edits = [{ from: at, to: remedy === "insert" ? at : at + 1, text: meant }];
  const said = note(message, at, at + 1, edits, titles[remedy]);
  if (open === undefined) return said;
  const span = { from: open.at, to: open.at + 1 };
  return { ...said, related: [{ message: `'${open.mark}' was opened here`, span }] };
}

function unterminated(
  { source, lineOf }: Text,
  { at, to, quotes, end }: Extract<Blemish, { kind: "unterminated" }>,
): Diagnostic {
  const isLong = quotes.length === 3;
  const line = lineOf(isLong ? source.length : at);
  const what = isLong
    ? "triple-quoted string literal"
    : "string literal: its closing quote is missing";
  const message = `unterminated ${what} (detected at line ${line})`;
  const edits = isLong ? [] : [{ from: end, to: end, text: quotes }];
  return note(message, at, to, edits, `Close the string with ${quotes}`);
}

const compound: ReadonlySet<string> = new Set(
  "if elif else for while def class with try except finally".split(" "),
);

/** Repairs unclosed brackets, a missing colon or a missing body. */
function mendLine(
  text: Text,
  line: LogicalLine,
  next: LogicalLine | undefined,
): readonly Diagnostic[] {
  if (line.unclosed.length > 0) return closeBrackets(line);
  const word = line.tokens[0]?.text ?? "";
  if (!compound.has(word)) return [];
  const said = word === "except" ? [...exceptStar(line)] : [];
  const hasBody = next !== undefined && next.indent > line.indent;
  const { to } = line;
  if (hasBody && !hasColon(line.tokens)) {
    insert(line, -1, { kind: "sign", text: ":", from: to, to });
    const edits = [{ from: to, to, text: ":" }];
    return [...said, note("expected ':'", to, to + 1, edits, "Add the colon")];
  }
  const isMixed = next !== undefined && mixesTabs(next.margin, line.margin);
  if (hasBody || isMixed || lastOf(line)?.text !== ":") return said;
  insert(line, -1, { kind: "keyword", text: "pass", from: to, to });
  const number = text.lineOf(line.from);
  const message = `expected an indented block after ${described(word)} on line ${number}`;
  const edits = [{ from: to, to, text: " pass" }];
  return [...said, note(message, line.from, to, edits, "Add pass", "IndentationError")];
}

function insert({ tokens }: LogicalLine, at: number, added: Token): void {
  tokens.splice(at, 0, added);
}

/** Last token before the end token. */
function lastOf({ tokens }: LogicalLine): Token | undefined {
  return tokens.at(-2);
}

/** Whether the line has a `:` outside brackets that belongs to no `lambda`. */
function hasColon(tokens: readonly Token[]): boolean {
  let [depth, lambdas] = [0, 0];
  for (const { kind, text } of tokens) {
    if (kind !== "sign" && text !== "lambda") continue;
    if (fieldOf(partners, text) !== undefined) depth += 1;
    else if (text === ")" || text === "]" || text === "}") depth -= 1;
    else if (depth === 0 && text === "lambda") lambdas += 1;
    else if (depth === 0 && text === ":" && --lambdas < 0) return true;
  }
  return false;
}

/** Reports `except*` (exception groups) as unsupported and reads it as `except`. */
function exceptStar({ tokens, from }: LogicalLine): readonly Diagnostic[] {
  const star = tokens[1];
  if (star?.text !== "*") return [];
  tokens.splice(1, 1);
  const span = { from, to: star.to };
  const message = "except* is not supported here";
  return [{ code: "python/not-supported", severity: "error", message, span }];
}

function described(word: string): string {
  if (word === "def") return "function definition";
  if (word === "class") return "class definition";
  return `'${word}' statement`;
}

function closeBrackets(line: LogicalLine): readonly Diagnostic[] {
  const { tokens, unclosed, from } = line;
  const marks = unclosed.map(({ mark }) => fieldOf(partners, mark) ?? "").reverse();
  const isHeader = compound.has(tokens[0]?.text ?? "") && lastOf(line)?.text === ":";
  const at = isHeader ? -2 : -1;
  const place = tokens.at(at - 1)?.to ?? from;
  // Pushed one by one: there may be more brackets than a call takes arguments.
  const behind = tokens.splice(at);
  for (const text of marks) tokens.push({ kind: "sign", text, from: place, to: place });
  tokens.push(...behind);
  // The parser reports too deep nesting; CPython then reports nothing else.
  if (unclosed.length >= deepest) return [];
  const edits = [{ from: place, to: place, text: marks.join("") }];
  // CPython's message names the innermost bracket.
  const open = unclosed.at(-1);
  const start = open?.at ?? from;
  const message = `'${open?.mark ?? "("}' was never closed`;
  return [note(message, start, start + 1, edits, `Close with ${marks.join("")}`)];
}
