import type { Span } from "#core/diagnostics";
import { createParser } from "#language/python";
import { isBlank, isPrompt, type Lines, markedLines } from "./marked-blocks.ts";
import { isProse } from "./prose-lines.ts";

/** A piece of code on a page. */
export interface CodeBlock {
  readonly language: "python" | "json";
  /** Without the indentation and the prompts that it has on the page. */
  readonly text: string;
  /** Its first line on the page, from 1. */
  readonly line: number;
}

/** A page of documentation: prose, with code in it. */
export interface Page {
  /** In the order of the page. */
  readonly blocks: readonly CodeBlock[];
  /** The first line of prose. */
  readonly prose: Span;
}

/** Blocks that are listed; pages of more are rare. */
const mostBlocks = 60;

/**
 * A text as a page of documentation, if it is one: Markdown with fences, reST, a Python session, or
 * a page that was copied without its marks. Programs, also broken ones, are none: it takes lines of
 * prose outside of texts in three quotes, comments and code.
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
  // A program of many lines has some that read as prose: its paragraphs are not tried one by one.
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

/** Marks are never Python; without them a fifth of the lines, without any code half of them. */
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

/** Paragraphs without marks that are Python by themselves, as many together as can be read so. */
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

/** How a line begins that is code for certain. */
const isCode =
  /^\s*(?:@\w|#|def \w|class \w|import \w|from [\w.]+ import|[\w.]+(?:, ?\w+)*\s*=[^=]|[\w.]+\()/;

/** Paragraphs that are tried together with the first. */
const mostParagraphs = 24;

/** The end of the longest run of paragraphs from a line on that is Python; the line where none is. */
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

/** Whether a text is Python that does something, not words that are names by chance. */
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

/** The block that lines hold, unless they are in a language that cannot be opened. */
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

/** The text of lines without their common indentation; of a session only what was put in. */
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

/** Which lines stand inside a text in three quotes, where prose is at home. */
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
