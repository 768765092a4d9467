import { exampleText } from "#app/first-example";
import type { From } from "#app/texts";
import { splitTexts } from "#language/texts";
import { graphWords } from "#systems/graphs";
import { knownExample } from "./address/known-examples.ts";

/** Characters of a name that was not given. */
const mostCharacters = 60;

/**
 * The name of a text without a given one: that of its link or file, of the example of which it
 * still has half of the lines, else its first line.
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

/** How much of a text is looked at for its name. */
const mostRead = 100_000;

/** A text by what its head says of it; a graph by the label of its first node. */
function firstWords(source: string): string {
  const label = splitTexts(source)?.json.match(/"label"\s*:\s*"([^"]*)"/)?.[1];
  if (label !== undefined) return shortened(`${graphWords.title} with ${label}`);
  const text = withoutNotice(source.slice(0, mostRead));
  const own = headOf(text) ?? modelOf(text) ?? publishedIn(text);
  const words = own ?? firstLine(text) ?? source.match(/\S.*/u)?.[0];
  return words === undefined ? "Empty plan" : shortened(words);
}

/** A comment or a docstring, where a text begins with one. */
function headOf(text: string): string | undefined {
  return /^\s*(?:#+|[rR]?(?:"""|'''))[\s#]*(\S[^\n]*)/u
    .exec(text)?.[1]
    ?.replace(/(?:"""|''').*$/u, "")
    .trim();
}

/** The last class of modules, which is made of those above it. */
function modelOf(text: string): string | undefined {
  return [...text.matchAll(/^class (\w+)\([^)\n]*\b(?:Module|Cell)\b/gmu)].at(-1)?.[1];
}

/** The published model that a text makes, by its name or its class: `Llama-3.1-8B`. */
function publishedIn(text: string): string | undefined {
  const made = /^\w*(?:model|net)\w* = (?!nn\.)(?:\w+\.)*([A-Z]\w+)(\.from_pretrained)?\(/mu.exec(
    text,
  );
  if (made === null || made[2] === undefined) return made?.[1];
  const given = /\.from_pretrained\(\s*["']([\w./-]+)["']/u.exec(text)?.[1];
  const path = given ?? /^[^#\n]*["']([\w.-]+\/[\w.-]+)["']/mu.exec(text)?.[1];
  return path?.slice(path.lastIndexOf("/") + 1) ?? made[1];
}

/** The first line that is none of the imports, which say nothing of a plan. */
function firstLine(text: string): string | undefined {
  return /^(?!\s*(?:import|from)\b)[\s#]*(\S.*)$/mu.exec(text)?.[1]?.trim();
}

/** A text without the comments that it begins with, where they are of rights or for machines. */
function withoutNotice(text: string): string {
  const comments = /^(?:\s*#[^\n]*(?:\n|$))+/u.exec(text)?.[0] ?? "";
  const isNotice = /copyright|licen[sc]e|all rights|^\s*#!|coding[:=]/iu.test(comments);
  return isNotice ? text.slice(comments.length) : text;
}

function shortened(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}
