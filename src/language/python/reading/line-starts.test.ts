import fc from "fast-check";
import { expect, test } from "vitest";
import { lineStartAt } from "./tokens.ts";

test("a line begins behind the last line end before an offset, near or far", () => {
  const piece = fc.constantFrom("a", "\n", "\r", "\r\n", "b".repeat(300));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.nat(2_500), (pieces, offset) => {
      const text = pieces.join("");
      const at = Math.min(offset, text.length);
      const start = /[^\n\r]*$/.exec(text.slice(0, at))?.index;
      expect(lineStartAt(text, at)).toBe(start);
    }),
  );
});
