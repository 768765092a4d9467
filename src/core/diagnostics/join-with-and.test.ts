import { expect, test } from "vitest";
import { joinWithAnd } from "./join-with-and.ts";

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
])("%j as words of a sentence", (words, sentence) => {
  expect(joinWithAnd(words)).toBe(sentence);
});
