import { expect, test } from "vitest";
import { everyExample } from "./examples.ts";

test("names are short, unique and fit into a link", () => {
  const names = everyExample.map((example) => example.name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9-]{1,40}$/);
});

test.each(everyExample)("$name has a title, a note and a text of whole lines", (example) => {
  expect(example.title.length).toBeGreaterThan(5);
  expect(example.note).toMatch(/\.$/);
  expect(example.program).toMatch(/\n$/);
  expect(example.program).not.toMatch(/[ \t]\n|\t/);
});

/** Models whose names contain their size. */
const modelNames = /\b(Llama 3 \d+B|Mixtral 8x7B)/g;

test.each(everyExample)(
  "$name writes no bytes, times and shares, which the model works out",
  (example) => {
    const comments = example.program.match(/#.*/g) ?? [];
    for (const text of [example.title, example.note, ...comments]) {
      expect(text.replace(modelNames, "")).not.toMatch(/\d ?([kMGTP]?B|[mµun]?s|%)(?![\w-])/);
    }
  },
);
