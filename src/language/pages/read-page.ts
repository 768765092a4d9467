import type { Span } from "#core/diagnostics";
import { createParser } from "#language/python";
import { isBlank, isPrompt, type Lines, markedLines } from "./marked-blocks.ts";
import { isProse } from "./prose-lines.ts";

/** A code block on a page. */
export interface CodeBlock {
  readonly language: "python" | "json";
  /** Code without the indentation and prompts of the page. */
  readonly text: string;
  /** Line number of its first line on the page, from 1. */
  readonly line: number;
}

/** A documentation page: prose with code blocks. */
export interface Page {
  /** Code blocks in page order. */
  readonly blocks: readonly CodeBlock[];
  /** Span of the first prose line. */
  readonly prose: Span;
}

/** Most blocks that are listed. */
const mostBlocks = 60;

/**
 * Documentation page in a text: Markdown with fences, reST, a Python session, or a page copied
 * without its marks. `undefined` for programs, including broken ones: a page needs prose lines
 * outside triple-quoted strings, comments and code.
 */
export function readPage(source: string): Page | undefined {
  const lines = source.split("\n");
  const words = lines.flatMap((line, at) => (isProse(line) ? [at] : []));
  if (words.length < 2) return undefined;
  const inText = linesInTexts(lines);
  const prose = words.filter((at) => !inText[at]);
  if (prose.length < 2) return undefined;
  const marked = markedLines(lines.map((line, at) => (inText[at] ? "" : line)));
  const outside = prose.filter((at) => !marked.some(({ outer }) => isWithin(at, outer)));
  const written = lines.filter((line) => !isBlank(line)).length;
  // Early exit: long programs have lines that read as prose, and trying each paragraph is slow.
  if (!isPage(outside.length, written, { marked: marked.length, blocks: 1 })) return undefined;
  const plain = plainLines(lines, marked, new Set(outside));
  const blocks = [...marked, ...plain]
    .sort((a, b) => a.from - b.from)
    .flatMap((block) => blockOf(lines, block))
    .slice(0, mostBlocks);
  const [first = 0] = outside;
  if (!isPage(outside.length, written, { marked: marked.length, blocks: blocks.length })) {
    return undefined;
  }
  const from = lines.slice(0, first).join("\n").length + (first === 0 ? 0 : 1);
  return { blocks, prose: { from, to: from + (lines[first]?.trimEnd().length ?? 0) } };
}

/**
 * Whether there is enough prose: two lines beside marks, which are never Python; without marks a
 * fifth of the lines; without any code half of them.
 */
function isPage(
  prose: number,
  written: number,
  { marked, blocks }: { readonly marked: number; readonly blocks: number },
): boolean {
  if (marked > 0) return prose >= 2;
  if (prose < 3) return false;
  return blocks > 0 ? prose * 5 >= written : prose * 2 > written;
}

function isWithin(at: number, { from, to }: Pick<Lines, "from" | "to">): boolean {
  return from <= at && at < to;
}

/** Unmarked paragraphs that parse as Python, joined as far as they parse together. */
function plainLines(
  lines: readonly string[],
  marked: readonly Lines[],
  prose: ReadonlySet<number>,
): readonly Lines[] {
  const isOpen = (at: number) => !prose.has(at) && !marked.some(({ outer }) => isWithin(at, outer));
  const found: Lines[] = [];
  for (let from = 0; from < lines.length; ) {
    const to = isOpen(from) && isCode.test(lines[from] ?? "") ? endOf(lines, from, isOpen) : from;
    if (to > from) found.push({ from, to, outer: { from, to }, language: "" });
    from = Math.max(to, from + 1);
    while (to === from && from < lines.length && isBlank(lines[from])) from += 1;
  }
  return found;
}

/** Start of a line that certainly is code. */
const isCode =
  /^\s*(?:@\w|#|def \w|class \w|import \w|from [\w.]+ import|[\w.]+(?:, ?\w+)*\s*=[^=]|[\w.]+\()/;

/** Most paragraphs that are joined. */
const mostParagraphs = 24;

/**
 * End of the longest run of paragraphs from a line on that is Python; that line itself when none
 * is.
 */
function endOf(lines: readonly string[], from: number, isOpen: (at: number) => boolean): number {
  const ends: number[] = [];
  let at = from;
  for (; at < lines.length && isOpen(at) && ends.length < mostParagraphs; at += 1) {
    if (!isBlank(lines[at]) && isBlank(lines[at + 1])) ends.push(at + 1);
  }
  if (!isBlank(lines[at - 1]) && ends.at(-1) !== at) ends.push(at);
  const longest = ends.toReversed().find((to) => isPython(textOf(lines, { from, to })));
  return longest ?? from;
}

/**
 * Whether a text is Python with at least one statement that does something, and not words that
 * parse as names by chance.
 */
function isPython(text: string): boolean {
  const doing =
    /^[ \t]*(?:@\w|def \w|class \w|import \w|from [\w.]+ import|[\w.]+(?:, ?\w+)*\s*=[^=]|[\w.]+\()/mu;
  const stray = /^(?!(?:import|from|pass|del|global|assert|raise) ?)[\p{L}\p{N}_ ]+$/u;
  const top = text.split("\n").filter((line) => /^\S/.test(line));
  return doing.test(text) && !top.some((line) => stray.test(line)) && faultless(text);
}

function faultless(text: string): boolean {
  return createParser()(text, true).diagnostics.length === 0;
}

const pythonNames = /^(?:py|python\d?|py3|pycon|ipython\d?|gdscript)$/i;

/** Code block in a line range; empty when it is blank or in an unsupported language. */
function blockOf(lines: readonly string[], block: Lines): readonly CodeBlock[] {
  const text = textOf(lines, block);
  const line = block.from + 1;
  if (text.trim() === "") return [];
  if (/^\s*\{/.test(text) && /^(?:json\w*|)$/i.test(block.language)) {
    return isJson(text) ? [{ language: "json", text, line }] : [];
  }
  const isOpened = pythonNames.test(block.language) || (block.language === "" && isPython(text));
  return isOpened ? [{ language: "python", text, line }] : [];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Text of lines without their common indentation; for a session only the inputs. */
function textOf(lines: readonly string[], { from, to }: Pick<Lines, "from" | "to">): string {
  const all = lines.slice(from, to).map((line) => line.trimEnd());
  const isSession = all.some((line) => /^\s*>>>(?:\s|$)/.test(line));
  const typed = isSession
    ? all.filter(isPrompt).map((line) => line.replace(/^\s*(?:>>>|\.\.\.) ?/, ""))
    : all;
  const depths = typed.flatMap((line) => (line === "" ? [] : [/^\s*/.exec(line)?.[0].length ?? 0]));
  const depth = Math.min(...depths, Number.MAX_SAFE_INTEGER);
  return `${typed
    .map((line) => line.slice(depth))
    .join("\n")
    .trim()}\n`;
}

/** For each line, whether it is inside a triple-quoted string, where prose does not count. */
function linesInTexts(lines: readonly string[]): readonly boolean[] {
  let quote: string | undefined;
  return lines.map((line) => {
    const began = quote;
    if (!line.includes('"""') && !line.includes("'''")) return began !== undefined;
    for (const [mark] of line.matchAll(/"""|'''/g)) {
      if (quote === undefined) quote = mark;
      else if (quote === mark) quote = undefined;
    }
    return began !== undefined;
  });
}
