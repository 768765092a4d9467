import fc from "fast-check";
import { expect, test } from "vitest";
import { positionAt, positionsIn } from "./index.ts";

test.each`
  text          | offset | line | column
  ${""}         | ${0}   | ${1} | ${1}
  ${"ab"}       | ${2}   | ${1} | ${3}
  ${"a\nb"}     | ${2}   | ${2} | ${1}
  ${"a\r\nb"}   | ${3}   | ${2} | ${1}
  ${"a\rb"}     | ${2}   | ${2} | ${1}
  ${"a\n\r\nb"} | ${4}   | ${3} | ${1}
  ${"a\u2028b"} | ${2}   | ${1} | ${3}
`("offset $offset of $text is $line:$column", ({ text, offset, line, column }) => {
  expect(positionAt(text, offset)).toEqual({ line, column });
});

test("lines and columns lead back to the offset, whichever way lines end", () => {
  const pieces = fc.constantFrom("a", "bc", "\n", "\r\n", "\r", "\u2028");
  fc.assert(
    fc.property(fc.array(pieces), fc.nat(20), (words, at) => {
      const text = words.join("");
      const offset = Math.min(at, text.length);
      const { line, column } = positionsIn(text)(offset);
      const before = text.split(/\r\n?|\n/).slice(0, line - 1);
      const start = before.reduce((from, each) => {
        const end = from + each.length;
        return end + (text.startsWith("\r\n", end) ? 2 : 1);
      }, 0);
      expect(start + column - 1).toBe(offset);
    }),
  );
});
