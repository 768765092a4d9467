import fc from "fast-check";
import { expect, test } from "vitest";
import { edited, lineEndsOf, toShown, toSource } from "./line-ends.ts";

const texts = fc
  .array(fc.constantFrom("a", "bc", "\n", "\r\n", "\r", ""))
  .map((pieces) => pieces.join(""));

test("a place goes to the editor and back; between the two characters of an end it goes before both", () => {
  fc.assert(
    fc.property(texts, (source) => {
      const ends = lineEndsOf(source);
      for (let at = 0; at <= source.length; at += 1) {
        const isInside = source.slice(at - 1, at + 1) === "\r\n";
        expect(toSource(ends, toShown(ends, at))).toBe(isInside ? at - 1 : at);
      }
      expect(toShown(ends, source.length)).toBe(ends.shown.length);
    }),
  );
});

test("an edit keeps every character that it does not touch", () => {
  fc.assert(
    fc.property(texts, texts, fc.nat(), fc.nat(), (source, text, a, b) => {
      const ends = lineEndsOf(source);
      const [from, to] = [a, b].map((n) => n % (ends.shown.length + 1)).sort((x, y) => x - y);
      const typed = lineEndsOf(text).shown;
      const shown = ends.shown.slice(0, from) + typed + ends.shown.slice(to);
      const after = edited(ends, shown, undefined);
      expect(lineEndsOf(after).shown).toBe(shown);
      expect(edited(ends, ends.shown, undefined)).toBe(source);
    }),
  );
});

test.each`
  source          | shown               | pasted          | after
  ${"a\r\nb\r\n"} | ${"a\nb\nc\n"}      | ${undefined}    | ${"a\r\nb\r\nc\r\n"}
  ${"a\nb\r\n"}   | ${"a\nx\nb\n"}      | ${undefined}    | ${"a\nx\nb\r\n"}
  ${"a\r\nb"}     | ${"ab"}             | ${undefined}    | ${"ab"}
  ${""}           | ${"a\nb\n"}         | ${"a\r\nb\r\n"} | ${"a\r\nb\r\n"}
  ${"old\n"}      | ${"a\nb\n"}         | ${"a\r\nb\r\n"} | ${"a\r\nb\r\n"}
  ${"old\nx\n"}   | ${"old\na\nb\nx\n"} | ${"a\r\nb\r\n"} | ${"old\na\nb\nx\n"}
`("$source edited to $shown is $after", ({ source, shown, pasted, after }) => {
  expect(edited(lineEndsOf(source), shown, pasted)).toBe(after);
});
