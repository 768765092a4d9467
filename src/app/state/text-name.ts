import { exampleText } from "#app/first-example";
import type { From } from "#app/texts";
import { splitTexts } from "#language/texts";
import { graphWords } from "#systems/graphs";
import { knownExample } from "./address/known-examples.ts";

/** Longest name (characters) that is derived from a text. */
const mostCharacters = 60;

/**
 * The name of an unnamed text: that of its link or file, or of the example of which at least half
 * of the lines remain, else its first line.
 */
export function nameOf(from: From, source: string): string {
  switch (from.kind) {
    case "file":
      return from.name;
    case "link":
      return from.name ?? firstWords(source);
    case "example":
      return exampleIn(from.name, source) ?? firstWords(source);
    case "lesson":
    case "new":
      return firstWords(source);
  }
}

function exampleIn(name: string, source: string): string | undefined {
  const example = knownExample(name);
  if (example === undefined) return undefined;
  const lines = exampleText(example)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const kept = lines.filter((line) => source.includes(line.trim()));
  return kept.length * 2 >= lines.length ? example.title : undefined;
}

/** Number of characters of a text that are searched for its name. */
const mostRead = 100_000;

/** A name from the head of a text; for a graph, from the label of its first node. */
function firstWords(source: string): string {
  const label = splitTexts(source)?.json.match(/"label"\s*:\s*"([^"]*)"/)?.[1];
  if (label !== undefined) return shortened(`${graphWords.title} with ${label}`);
  const text = withoutNotice(source.slice(0, mostRead));
  const own = headOf(text) ?? modelOf(text) ?? publishedIn(text);
  const words = own ?? firstLine(text) ?? source.match(/\S.*/u)?.[0];
  return words === undefined ? "Empty plan" : shortened(words);
}

/** A comment or a docstring at the beginning of a text. */
function headOf(text: string): string | undefined {
  return /^\s*(?:#+|[rR]?(?:"""|'''))[\s#]*(\S[^\n]*)/u
    .exec(text)?.[1]
    ?.replace(/(?:"""|''').*$/u, "")
    .trim();
}

/** The last module class, which is built from those above it. */
function modelOf(text: string): string | undefined {
  return [...text.matchAll(/^class (\w+)\([^)\n]*\b(?:Module|Cell)\b/gmu)].at(-1)?.[1];
}

/** The published model that a text creates, by its name or its class: `Llama-3.1-8B`. */
function publishedIn(text: string): string | undefined {
  const made = /^\w*(?:model|net)\w* = (?!nn\.)(?:\w+\.)*([A-Z]\w+)(\.from_pretrained)?\(/mu.exec(
    text,
  );
  if (made === null || made[2] === undefined) return made?.[1];
  const given = /\.from_pretrained\(\s*["']([\w./-]+)["']/u.exec(text)?.[1];
  const path = given ?? /^[^#\n]*["']([\w.-]+\/[\w.-]+)["']/mu.exec(text)?.[1];
  return path?.slice(path.lastIndexOf("/") + 1) ?? made[1];
}

/** The first line that is no import, since imports say nothing about a plan. */
function firstLine(text: string): string | undefined {
  return /^(?!\s*(?:import|from)\b)[\s#]*(\S.*)$/mu.exec(text)?.[1]?.trim();
}

/** A text without its leading comments if these are a licence notice or for machines. */
function withoutNotice(text: string): string {
  const comments = /^(?:\s*#[^\n]*(?:\n|$))+/u.exec(text)?.[0] ?? "";
  const isNotice = /copyright|licen[sc]e|all rights|^\s*#!|coding[:=]/iu.test(comments);
  return isNotice ? text.slice(comments.length) : text;
}

function shortened(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}
