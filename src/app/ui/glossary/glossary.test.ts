import { expect, test } from "vitest";
import { glossary } from "./glossary.ts";

test.each(Object.entries(glossary))("%s is explained in whole short sentences", (_, word) => {
  for (const text of [word.means, word.elsewhere ?? "None."]) {
    expect(text).toMatch(/^[A-Z].*\.$|^nn[A-Z].*\.$/);
    expect(text.length).toBeLessThan(160);
  }
});

test("the words that a first plan shows are there", () => {
  const words = ["set", "inferred", "assumed", "k+", "Σ", "index space", "pinned", "proven"];
  expect(Object.keys(glossary)).toEqual(expect.arrayContaining(words));
  expect(Object.keys(glossary)).toEqual(
    expect.arrayContaining(["exposed", "hidden", "gap", "bound", "MFU"]),
  );
});
