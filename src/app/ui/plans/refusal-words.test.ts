import { expect, test } from "vitest";
import { browserStorage } from "#app/texts";
import { refusalWords, unsavedWords } from "./refusal-words.ts";

/** A browser storage in which every write throws an exception of a given name. */
function throwing(name: string) {
  const setItem = () => {
    throw new DOMException("refused", name);
  };
  return browserStorage(() => ({ getItem: () => null, setItem, removeItem: () => {} }));
}

test.each`
  name                    | words
  ${"QuotaExceededError"} | ${/no room left/}
  ${"SecurityError"}      | ${/does not let this page keep anything/}
  ${"NotAllowedError"}    | ${/does not let this page keep anything/}
`("$name: $words", ({ name, words }) => {
  const storage = throwing(name);
  expect(storage.write("key", "value")).toBe(false);
  expect(unsavedWords(storage, "tab")).toMatch(words);
  expect(refusalWords(storage)).toMatch(words);
});

test("a storage that cannot be reached at all is denied, not full", () => {
  const storage = browserStorage(() => {
    throw new DOMException("denied", "SecurityError");
  });
  storage.write("key", "value");
  expect(refusalWords(storage)).not.toMatch(/room/);
});
