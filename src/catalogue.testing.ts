import { readdirSync, readFileSync } from "node:fs";
import type { Chapter } from "../catalogue/read-catalogue.ts";

/** The files below a folder whose paths match, in the order of the alphabet. */
function filesBelow(folder: string, pattern: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path}`)
    .filter((path) => pattern.test(path))
    .sort();
}

/** The codes of chapters, but for those that stand for many. */
export function codesOf(chapters: readonly Chapter[]): readonly string[] {
  return chapters
    .flatMap(({ entries }) => entries.map(({ code }) => code))
    .filter((code) => !code.endsWith("/*"));
}

/** The codes that sources write where they are not merely compared with. */
export function codesWritten(sources: readonly string[]): ReadonlySet<string> {
  const written = /(?<!(?:[!=]== |case |startsWith\())"([a-z]+(?:[/-][a-z0-9]+)+)"/g;
  return new Set(
    sources.flatMap((text) => [...text.matchAll(written)].map(([, code = ""]) => code)),
  );
}

/** A text of an entry that gets its diagnostic, and what the first fix makes of it. */
export interface EntryExample {
  readonly code: string;
  readonly text: string;
  /** Of an entry whose fix is shown. */
  readonly fixed?: string;
}

/**
 * The examples of chapters: a block `python` gets the diagnostic of its entry, and a block
 * `python fixed` behind it is that text after the first fix.
 */
export function examplesOf(chapters: readonly Chapter[]): readonly EntryExample[] {
  return chapters.flatMap(({ entries }) =>
    entries.flatMap(({ code, text }) => {
      const examples: EntryExample[] = [];
      for (const [, mark, body = ""] of text.matchAll(/^```python( fixed)?\n([\s\S]*?)^```$/gm)) {
        const shown = mark === undefined ? undefined : examples.pop();
        if (mark === undefined) examples.push({ code, text: body });
        else if (shown === undefined) throw new Error(`${code}: a fixed text without its first`);
        else examples.push({ ...shown, fixed: body });
      }
      return examples;
    }),
  );
}

/** The codes that no text of the tests, cases and goldens names. */
export function untested(codes: readonly string[], texts: readonly string[]): readonly string[] {
  const words = new Set(texts.flatMap((text) => text.match(/[a-z]+(?:[/-][a-z0-9]+)+/g) ?? []));
  return codes.filter((code) => !words.has(code));
}

/** What tests hold codes against: tests beside the code, journeys, cases and goldens. */
export function testTexts(): readonly string[] {
  const paths = [
    ...filesBelow("src", /\.(test|testing)\.tsx?$|\.json$/),
    ...filesBelow("e2e", /\.ts$/),
    ...filesBelow("conformance", /\.json$/),
    "goldens/outcomes.txt",
  ].filter((path) => !path.startsWith("src/catalogue."));
  return paths.map((path) => readFileSync(path, "utf8"));
}

/** The sources of the product; examples name faults that they show, and report none. */
export function sourceTexts(): readonly string[] {
  return filesBelow("src", /\.tsx?$/)
    .filter((path) => !/\.(test|testing)\.|^src\/app\/examples\//.test(path))
    .map((path) => readFileSync(path, "utf8"));
}
