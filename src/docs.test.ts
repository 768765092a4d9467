import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answerTo, plainAnswer } from "#cli";
import {
  citationsOf,
  differences,
  examplesOf,
  pagesOf,
  sectionsOf,
  sourcesBelow,
} from "./docs.testing.ts";

const spec = pagesOf("docs/spec");
const pages = new Map([...pagesOf("docs"), ...spec]);
const examples = [...spec].flatMap(([page, text]) => examplesOf(page, text));

describe("the examples of the reference answer as their pages say", () => {
  test.each(examples.map((example) => [`${example.page}:${example.line}`, example] as const))(
    "%s",
    (_, { request: { command, ...args }, answer }) => {
      const found: unknown = JSON.parse(
        JSON.stringify(plainAnswer(answerTo(String(command), args), args)),
      );
      expect(differences(answer, found)).toEqual([]);
    },
  );
});

test("every section that the code cites is there", () => {
  const cited = ["src", "bench", "e2e"]
    .flatMap(sourcesBelow)
    .flatMap((file) =>
      citationsOf(readFileSync(file, "utf8")).map((citation) => ({ file, ...citation })),
    );
  const missing = cited.filter(({ page, section }) => {
    const text = pages.get(page);
    return text === undefined || !sectionsOf(text).has(section);
  });
  expect(missing.map(({ file, page, section }) => `${file}: ${page}.md §${section}`)).toEqual([]);
  expect(cited.length).toBeGreaterThan(200);
});

describe("what the tests of the reference can see", () => {
  test("a request without an answer, and an answer without a request", () => {
    const request = '```json request\n{"command": "parse"}\n```\n';
    const answer = "```json answer\n{}\n```\n";
    expect(examplesOf("page", request + answer)).toHaveLength(1);
    expect(() => examplesOf("page", request)).toThrow("page:1: no answer");
    expect(() => examplesOf("page", answer)).toThrow("page:1: no request");
  });

  test("an answer that lacks a field, has another number, or one item more", () => {
    expect(differences({ a: 1 }, { a: 1, b: 2 })).toEqual([]);
    expect(differences({ a: 1 }, {})).toEqual(["answer.a: undefined, not 1"]);
    expect(differences({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })).toEqual([
      "answer.a[1].b: 3, not 2",
    ]);
    expect(differences([1], [1, 2])).toEqual(["answer: 2 items, not 1"]);
  });

  test("citations in comments, over the end of a line too, and none in paths", () => {
    const text =
      "/** As planner.md §6.3 and\n * loom.md\n * §4.1, §5 say; see program.md. */\n" +
      'const file = "plan.md"; // docs/choices.md\n';
    expect(citationsOf(text)).toEqual([
      { page: "planner", section: "6.3" },
      { page: "loom", section: "4.1" },
      { page: "loom", section: "5" },
      { page: "program", section: "0" },
    ]);
    expect(sectionsOf("# Page\n## 4. Four\n### 4.1 One\n")).toEqual(new Set(["0", "4", "4.1"]));
  });
});
