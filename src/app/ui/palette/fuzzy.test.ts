import { expect, test } from "vitest";
import { scoreOf } from "./fuzzy.ts";

test.each`
  query      | better                  | worse
  ${"undo"}  | ${"Undo"}               | ${"Show the groups under one node"}
  ${"w2"}    | ${"w2"}                 | ${"w12"}
  ${"ag h"}  | ${"all-gather of h"}    | ${"a long name with h, g and so on"}
  ${"gall"}  | ${"Open the gallery"}   | ${"grand old layered list"}
  ${"split"} | ${"Split w2.k over mp"} | ${"A place for its list"}
`("$query finds $better before $worse", ({ query, better, worse }) => {
  expect(scoreOf(query, better)).toBeGreaterThan(scoreOf(query, worse) ?? Number.NEGATIVE_INFINITY);
});

test("every word has to be there, in any order", () => {
  expect(scoreOf("mp split", "Split w2.k over mp")).toBeDefined();
  expect(scoreOf("split tp", "Split w2.k over mq")).toBeUndefined();
});

test("letters that only lie about in a text are no answer", () => {
  expect(scoreOf("w2", "Allow only data types such as int32")).toBeUndefined();
  expect(scoreOf("splt", "Split w2.k over mp")).toBeDefined();
});

test("nothing typed fits everything alike", () => {
  expect([scoreOf("", "Undo"), scoreOf("  ", "A very long text")]).toEqual([0, 0]);
});
