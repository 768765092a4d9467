import { expect, test } from "vitest";
import { gainText } from "./planned-words.ts";

test.each`
  before     | seconds | text
  ${2e-3}    | ${2e-3} | ${"as fast as yours"}
  ${2e-3}    | ${1e-3} | ${"2.00× as fast as yours"}
  ${1.01e-3} | ${1e-3} | ${"0.99 % less time than yours"}
  ${1e-3}    | ${0}    | ${"nothing takes time any more"}
  ${1}       | ${1e-4} | ${"10000× as fast as yours"}
`("a plan of $seconds s beside one of $before s is $text", ({ before, seconds, text }) => {
  expect(gainText({ before, seconds } as Parameters<typeof gainText>[0])).toBe(text);
});
