import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkAnswer } from "./check.ts";
import { isGraphText } from "./check-graph.ts";

const { cases } = JSON.parse(readFileSync("conformance/loom.json", "utf8"));

test("check takes a text that opens an object as a LoomGraph", () => {
  expect(["{}", " \n {", "\ufeff{", "[{}]", "x = {}", 7].map(isGraphText)).toEqual([
    ...[true, true, true, false, false, false],
  ]);
  const [{ request }] = cases;
  expect(checkAnswer(request.args)).toMatchObject({ ok: true, issues: [], dialect: "op" });
  expect(checkAnswer({ program: '{"foo": 2}' })).toMatchObject({ ok: false, issues: [] });
});

test("warnings do not make a graph bad, errors do", () => {
  const verdicts = cases.map(({ request }: (typeof cases)[number]) => {
    const { ok, diagnostics } = checkAnswer(request.args);
    return ok === diagnostics.every(({ severity }) => severity !== "error");
  });
  expect(verdicts).not.toContain(false);
});

test.each([
  ["a dialect that is none", { dialect: "target" }, "dialect"],
  ["data types that are no list", { dtypes: "int32" }, "dtypes"],
])("%s is a bad request", (_, args, word) => {
  const answer = checkAnswer({ program: "{}", ...args });
  expect(answer).toMatchObject({ ok: false, diagnostics: [{ code: "cli/bad-request" }] });
  expect(answer.diagnostics[0]?.message).toContain(word);
});
