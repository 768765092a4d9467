import type { Chapter, Entry } from "./read-catalogue.ts";

/** The chapters as HTML: a list of them, then every entry with its code as its anchor. */
export function entriesPage(chapters: readonly Chapter[]): string {
  const links = chapters.map(
    ({ title, entries }) =>
      `<li><a href="#${idOf(title)}">${escaped(title)}</a> <span>${entries.length}</span></li>`,
  );
  const nav = `<nav aria-label="Chapters"><ul>${links.join("")}</ul></nav>`;
  return `${nav}\n<main>\n${chapters.map(chapterPage).join("\n")}\n</main>`;
}

function chapterPage({ title, intro, entries }: Chapter): string {
  const id = idOf(title);
  const head = `<h2 id="${id}">${escaped(title)}</h2>\n${blocksOf(intro)}`;
  return `<section aria-labelledby="${id}">\n${head}\n${entries.map(entryPage).join("\n")}\n</section>`;
}

function entryPage({ code, text }: Entry): string {
  const anchor = `<a href="#${code}">${breakable(code)}</a>`;
  return `<article id="${code}">\n<h3>${anchor}</h3>\n${blocksOf(text)}\n</article>`;
}

function idOf(title: string): string {
  return title.toLowerCase().replace(/\W+/g, "-");
}

/** Paragraphs and fenced blocks of code. */
function blocksOf(text: string): string {
  return text
    .split(/(^```[\w ]*\n[\s\S]*?^```$)/mu)
    .flatMap((part) => (part.startsWith("```") ? [codeBlock(part)] : paragraphsOf(part)))
    .join("\n");
}

function codeBlock(fenced: string): string {
  const lines = fenced.split("\n").slice(1, -1);
  return `<pre tabindex="0"><code>${escaped(lines.join("\n"))}</code></pre>`;
}

function paragraphsOf(text: string): readonly string[] {
  const paragraphs = text.split(/\n\s*\n/).map((each) => each.trim());
  return paragraphs.filter((each) => each !== "").map((each) => `<p>${inline(each)}</p>`);
}

/** Text with its words in backticks as code. */
function inline(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

/** A code that may break behind its stroke and its hyphens. */
function breakable(code: string): string {
  return escaped(code).replace(/[/-]/g, "$&<wbr>");
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
