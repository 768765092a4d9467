import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answerTo, commandNames, plainAnswer } from "#cli";
import {
  citationsOf,
  differences,
  examplesOf,
  linksOf,
  pagePaths,
  pagesOf,
  pathsNamed,
  sectionsOf,
  sourcesBelow,
} from "./docs.testing.ts";

const spec = pagesOf("docs/spec");
const pages = new Map([...pagesOf("docs"), ...spec]);
const examples = [...pages].flatMap(([page, text]) => examplesOf(page, text));

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

test("every link of a page leads to a file, and every path that a page of ours names is there", () => {
  const missing = pagePaths().flatMap((path) => {
    const text = readFileSync(path, "utf8");
    const named = path.startsWith("docs/spec/") ? [] : pathsNamed(text);
    const led = [...linksOf(path, text), ...named];
    return led.filter((target) => !existsSync(target)).map((target) => `${path}: ${target}`);
  });
  expect(missing).toEqual([]);
});

test("the pages name every command, and every script of package.json", () => {
  const commands = pages.get("commands") ?? "";
  const scripts: object = JSON.parse(readFileSync("package.json", "utf8")).scripts;
  const own = ["dev", "build", "check", "cli", "start", "test"];
  const others = Object.keys(scripts).filter((name) => !own.includes(name));
  const said = commands + readFileSync("CONTRIBUTING.md", "utf8");
  expect(commandNames.filter((name) => !commands.includes(`| \`${name}\` |`))).toEqual([]);
  expect(others.filter((name) => !said.includes(`npm run ${name}`))).toEqual([]);
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

  test("links and paths that are not there", () => {
    expect(linksOf("docs/spec/a.md", "[b](program.md#one), [c](../c.md), [d](https://d)")).toEqual([
      "docs/spec/program.md",
      "docs/c.md",
    ]);
    expect(pathsNamed("`src/core/mesh`, src/systems/NAME and ../src/x; see docs/cost.md.")).toEqual(
      ["src/core/mesh", "docs/cost.md"],
    );
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
