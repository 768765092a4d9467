import { describe, expect, test } from "vitest";
import { answerTo } from "#cli";
import { applyEdits } from "#core/diagnostics";
import { entriesPage } from "../catalogue/entries-page.ts";
import { chapterOf, codesType, readCatalogue } from "../catalogue/read-catalogue.ts";
import {
  codesOf,
  codesWritten,
  type EntryExample,
  examplesOf,
  sourceTexts,
  testTexts,
  untested,
} from "./catalogue.testing.ts";

const chapters = readCatalogue(".");
const codes = codesOf(chapters);
const examples = examplesOf(chapters);

test("the type of codes is the one that the catalogue makes", async () => {
  await expect(codesType(chapters)).toMatchFileSnapshot("../catalogue/codes.d.ts");
});

test("every code has one entry, in the order of the alphabet", () => {
  expect(codes.length).toBeGreaterThan(250);
  expect(new Set(codes).size).toBe(codes.length);
  for (const { path, entries } of chapters) {
    const own = entries.map(({ code }) => code);
    expect([path, ...own]).toEqual([path, ...[...own].sort()]);
  }
});

test("every entry says what is wrong, then how it is mended", () => {
  const short = chapters
    .flatMap(({ entries }) => entries)
    .filter(({ text }) => !/^\S[\s\S]+[.:]\n\n[A-Z`][\s\S]+[.`]$/.test(text));
  expect(short.map(({ code }) => code)).toEqual([]);
});

test("every entry is of a code that the product writes", () => {
  const written = codesWritten(sourceTexts());
  expect(codes.filter((code) => !written.has(code))).toEqual([]);
});

test("every code that the product writes has an entry, also of those that Python makes", () => {
  const folders = new Set(codes.filter((code) => code.includes("/")).map(folderOf));
  const written = [...codesWritten(sourceTexts())].filter(
    (code) => code.includes("/") && folders.has(folderOf(code)),
  );
  expect(written.length).toBeGreaterThan(250);
  expect(written.filter((code) => !codes.includes(code))).toEqual([]);
});

function folderOf(code: string): string {
  return code.slice(0, code.indexOf("/"));
}

test("every code stands in a test", () => {
  const shown = examples.map(({ code }) => code);
  expect(untested(codes, [...testTexts(), ...shown])).toEqual([]);
});

/** The first diagnostic of a code that is reported of a text. */
function reported(code: string, program: string) {
  return answerTo("check", { program }).diagnostics.find((each) => each.code === code);
}

describe("the examples of the entries", () => {
  test.each(examples.map((example): [string, EntryExample] => [example.code, example]))(
    "%s",
    (_, { code, text, fixed }) => {
      const found = reported(code, text);
      expect(found, "the text gets the diagnostic of its entry").toBeDefined();
      if (fixed === undefined) return;
      expect(applyEdits(text, found?.fixes?.[0]?.edits ?? []), "its first fix").toBe(fixed);
      expect(reported(code, fixed), "the fixed text does not get it").toBeUndefined();
    },
  );

  test("a fixed text belongs to the block before it", () => {
    const entry = (text: string) => [
      { path: "a.md", title: "A", intro: "", entries: [{ code: "a/b", text }] },
    ];
    const block = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`;
    const both = block("python", "f(1)") + block("python fixed", "f(2)");
    expect(examplesOf(entry(both))).toEqual([{ code: "a/b", text: "f(1)\n", fixed: "f(2)\n" }]);
    expect(examplesOf(entry(block("", "f(1)")))).toEqual([]);
    expect(() => examplesOf(entry(block("python fixed", "f(2)")))).toThrow("a/b");
  });
});

test("a code that no test, no source or no entry has is found", () => {
  const planted = "plan/planted";
  expect(untested([...codes, planted], testTexts())).toContain(planted);
  expect(untested([planted], [`error ${planted}-too 1:1`])).toEqual([planted]);
  expect(codesWritten(sourceTexts()).has(planted)).toBe(false);
  expect(codesWritten([`if (code === "${planted}") return;`]).has(planted)).toBe(false);
  expect(codesWritten([`return fault("${planted}");`]).has(planted)).toBe(true);
});

test("a chapter becomes entries with their anchors, texts and blocks of code", () => {
  const text =
    "# Plans\n\nOf `plans`.\n\n## plan/a-b\n\nIt is < 1.\n\nMend it.\n\n```\nf(x)\n```\n";
  const chapter = chapterOf("plans.md", text);
  expect(chapter.entries).toEqual([
    { code: "plan/a-b", text: "It is < 1.\n\nMend it.\n\n```\nf(x)\n```" },
  ]);
  const page = entriesPage([chapter]);
  expect(page).toContain('<article id="plan/a-b">');
  expect(page).toContain("<p>Of <code>plans</code>.</p>");
  expect(page).toContain("<p>It is &lt; 1.</p>\n<p>Mend it.</p>");
  expect(page).toContain('<pre tabindex="0"><code>f(x)</code></pre>');
});
