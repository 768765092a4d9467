import { expect, test } from "vitest";
import { newLines } from "./new-lines.ts";

test.each`
  what                               | before          | after              | written
  ${"a line at the end"}             | ${"a\nb"}       | ${"a\nb\nc"}       | ${["c"]}
  ${"lines one after the other"}     | ${"a\nb"}       | ${"a\nx\ny\nb"}    | ${["x\ny"]}
  ${"lines in two places"}           | ${"a\nb\nc"}    | ${"x\na\nb\ny\nc"} | ${["x", "y"]}
  ${"a line that says another word"} | ${"a\nf(1)\nb"} | ${"a\nf(2)\nb"}    | ${["f(2)"]}
  ${"a line taken away"}             | ${"a\nb\nc"}    | ${"a\nc"}          | ${[]}
  ${"a line that moves"}             | ${"a\nb\nc\nd"} | ${"a\nc\nb\nd"}    | ${[]}
  ${"one of equal lines"}            | ${"a\nb"}       | ${"a\na\nb"}       | ${["a"]}
  ${"blank lines"}                   | ${"a\nb"}       | ${"a\n\nb\n"}      | ${[]}
  ${"another text"}                  | ${"a\nb"}       | ${"c\nd"}          | ${[]}
  ${"nothing"}                       | ${"a\nb"}       | ${"a\nb"}          | ${[]}
`("$what: $written", ({ before, after, written }) => {
  const texts = newLines(before, after).map(({ from, to }) => after.slice(from, to));
  expect(texts).toEqual(written);
});
