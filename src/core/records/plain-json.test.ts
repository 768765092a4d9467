import fc from "fast-check";
import { expect, test } from "vitest";
import { plainJson } from "./plain-json.ts";

test("what JSON writes is read back", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      expect(plainJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ["[".repeat(501) + "]".repeat(501), "lists"],
  ['{"a":'.repeat(501) + "1" + "}".repeat(501), "records"],
  ["[".repeat(5_000_000), "lists without an end"],
])("brackets too deep are no data: %#", (text) => {
  expect(plainJson(text)).toBeUndefined();
});

test.each([
  ["[".repeat(500) + "]".repeat(500)],
  [JSON.stringify({ a: "[".repeat(2_000), b: '\\"{'.repeat(2_000) })],
  [JSON.stringify(Array.from({ length: 2_000 }, () => [{}]))],
])("brackets beside each other, or in texts, are: %#", (text) => {
  expect(plainJson(text)).toEqual(JSON.parse(text));
});
