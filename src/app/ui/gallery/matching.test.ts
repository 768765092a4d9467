import { expect, test } from "vitest";
import { exampleGroups } from "#app/examples";
import { matching } from "./matching.ts";

const all = exampleGroups.flatMap(({ examples }) => examples);

test.each`
  words                        | found
  ${"ZeRO-1"}                  | ${["dit-xl", "zero"]}
  ${"  GROUPED   query "}      | ${["grouped-query"]}
  ${"mindspore interleaved"}   | ${["mindspore-interleaved"]}
  ${"layouts_that_nobody_has"} | ${[]}
  ${"carry="}                  | ${["carry"]}
  ${"layers[*]"}               | ${["llama3-8b", "llama3-70b-prefill", "mixtral-8x7b", "transformer-stack"]}
`("$words finds $found", ({ words, found }) => {
  const groups = matching(exampleGroups, words);
  expect(groups.flatMap(({ examples }) => examples.map(({ name }) => name))).toEqual(found);
  expect(groups.every(({ examples }) => examples.length > 0)).toBe(true);
});

test("without words everything is there, in its order", () => {
  expect(matching(exampleGroups, " ").flatMap(({ examples }) => examples)).toEqual(all);
  expect(all.length).toBeGreaterThanOrEqual(20);
});
