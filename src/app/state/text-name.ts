import { exampleText } from "#app/first-example";
import type { From } from "#app/texts";
import { splitTexts } from "#language/texts";
import { graphWords } from "#systems/graphs";
import { knownExample } from "./address/known-examples.ts";

/** Characters of a name that was not given. */
const mostCharacters = 60;

/**
 * What a text is called that nobody has given a name: as its link or file is, as the example that
 * it still has half of the lines of, else by its first line.
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

/** A text by its first line that says something; a graph by the label of its first node. */
function firstWords(source: string): string {
  const label = splitTexts(source)?.json.match(/"label"\s*:\s*"([^"]*)"/)?.[1];
  if (label !== undefined) return shortened(`${graphWords.title} with ${label}`);
  const line = /^[\s#]*(\S.*)$/mu.exec(source.slice(0, 10_000))?.[1]?.trim();
  return line === undefined ? "Empty plan" : shortened(line);
}

function shortened(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}
