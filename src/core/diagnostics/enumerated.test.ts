import { expect, test } from "vitest";
import { enumerated } from "./enumerated.ts";

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
])("%j as words of a sentence", (words, sentence) => {
  expect(enumerated(words)).toBe(sentence);
});
