import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The catalogue's entry for one code. */
export interface Entry {
  /** `folder/what-is-wrong`; `folder/*` stands for codes whose names are made from the text. */
  readonly code: string;
  /** Markdown: the fault, then its remedy, with an example if useful. */
  readonly text: string;
}

/** The entries of one `diagnostics.md`, which lies beside the code that reports them. */
export interface Chapter {
  /** From the root of the repository. */
  readonly path: string;
  readonly title: string;
  readonly intro: string;
  readonly entries: readonly Entry[];
}

/** All chapters below a root, by title. */
export function readCatalogue(root: string): readonly Chapter[] {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /(^|\/)diagnostics\.md$/.test(path))
    .map((path) => chapterOf(`src/${path}`, readFileSync(join(root, "src", path), "utf8")))
    .sort((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1));
}

/** The chapter that a Markdown text holds: `# title`, an introduction, and `## code` by `## code`. */
export function chapterOf(path: string, text: string): Chapter {
  const [head = "", ...sections] = text.split(/^## /mu);
  const [title = "", ...intro] = head.split("\n");
  return {
    path,
    title: title.replace(/^# /, ""),
    intro: intro.join("\n").trim(),
    entries: sections.map(entryOf),
  };
}

function entryOf(section: string): Entry {
  const [code = "", ...lines] = section.split("\n");
  return { code: code.trim(), text: lines.join("\n").trim() };
}

/** The type of all codes, so that a code without an entry does not compile. */
export function codesType(chapters: readonly Chapter[]): string {
  const codes = chapters.flatMap(({ entries }) => entries.map(({ code }) => code)).sort();
  const members = codes.map((code) =>
    code.endsWith("/*") ? `\`${code.slice(0, -1)}\${string}\`` : `"${code}"`,
  );
  return [
    "// Made of all diagnostics.md by `npx vitest run src/catalogue.test.ts -u`: do not edit.",
    "",
    "/** The code of a diagnostic. */",
    "type DiagnosticCode =",
    ...members.map((member, at) => `  | ${member}${at === members.length - 1 ? ";" : ""}`),
    "",
  ].join("\n");
}
