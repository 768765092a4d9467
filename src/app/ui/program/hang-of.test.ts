import { expect, test } from "vitest";
import { hangOf } from "./hang-of.ts";

test.each`
  line                            | hang
  ${""}                           | ${0}
  ${"    "}                       | ${0}
  ${"x = f(a)"}                   | ${2}
  ${"    return x"}               | ${6}
  ${"\treturn x"}                 | ${6}
  ${`${" ".repeat(40)}return x"`} | ${16}
`("the rest of $line begins $hang letters in", ({ line, hang }) => {
  expect(hangOf(line)).toBe(hang);
});
