import fc from "fast-check";
import { expect, test } from "vitest";
import { extended } from "./index.ts";

test("an extended record is what a spread makes, keys in the same order", () => {
  const record = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.nat());
  fc.assert(
    fc.property(record, record, (own, more) => {
      const made = extended(own, more);
      expect(Object.entries(made)).toEqual(Object.entries({ ...own, ...more }));
      expect(made).not.toBe(own);
    }),
  );
});
