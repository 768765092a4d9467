import fc from "fast-check";
import { expect, test } from "vitest";
import { wildcardMatcher } from "./index.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "*", ".", "["), maxLength: 8 });
const name = fc.string({ unit: fc.constantFrom("a", "b", ".", "["), maxLength: 8 });

/** Reference matcher that tries all runs of characters for each star. */
function matchesSomehow(target: string, text: string): boolean {
  if (target === "") return text === "";
  const [head = "", rest] = [target[0], target.slice(1)];
  if (head !== "*") return text.startsWith(head) && matchesSomehow(rest, text.slice(1));
  return Array.from({ length: text.length + 1 }, (_, at) => text.slice(at)).some((tail) =>
    matchesSomehow(rest, tail),
  );
}

test("a name matches where each star can stand for some characters", () => {
  fc.assert(
    fc.property(word, name, (target, text) => {
      expect(wildcardMatcher(target)(text)).toBe(matchesSomehow(target, text));
    }),
    { numRuns: process.env.SOAK === undefined ? 500 : 100_000 },
  );
});

test("no choice of places is tried twice", () => {
  const matches = wildcardMatcher(`${"*a".repeat(1_000)}*b`);
  expect(matches("a".repeat(100_000))).toBe(false);
  expect(matches(`${"a".repeat(100_000)}b`)).toBe(true);
});
