import { expect, test } from "vitest";
import { editInPlan, joinTexts, splitTexts } from "./two-texts.ts";

test.each`
  json              | plan
  ${"{}"}           | ${""}
  ${"{}\n"}         | ${"mesh = Mesh(mp=2)\n"}
  ${"{"}            | ${"x"}
  ${'\n { "a": 1 '} | ${"# plan\n# plan\n"}
`("$json with $plan comes apart as it was joined", ({ json, plan }) => {
  const joined = joinTexts(json, plan);
  const texts = splitTexts(joined);
  expect(texts).toMatchObject({ json, plan });
  expect(joined.slice(texts?.planFrom)).toBe(plan);
});

test("a program is one text", () => {
  expect(splitTexts("mesh = Mesh(mp=2)\n# plan\n{}")).toBeUndefined();
  expect(splitTexts("")).toBeUndefined();
});

test.each`
  source               | edit                              | after
  ${"{}"}              | ${{ from: 0, to: 0, text: "a" }}  | ${"{}\n# plan\na"}
  ${"{}"}              | ${{ from: 0, to: 0, text: "" }}   | ${"{}"}
  ${"{}\n# plan\nabc"} | ${{ from: 1, to: 2, text: "xy" }} | ${"{}\n# plan\naxyc"}
`("an edit of the plan $edit.text is one of $source", ({ source, edit, after }) => {
  const texts = splitTexts(source);
  const { from, to, text } = texts ? editInPlan(texts, edit) : edit;
  expect(source.slice(0, from) + text + source.slice(to)).toBe(after);
});
