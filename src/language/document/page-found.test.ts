import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { applyEdits, hasErrors } from "#core/diagnostics";
import { readDocument } from "#systems";

const { cases } = JSON.parse(readFileSync("conformance/seeds.json", "utf8"));

function documentOf(id: string): string {
  const wanted = `${id}-L1-whole-document-pasted`;
  return cases.find((each: { id: string }) => each.id === wanted).request.args.program;
}

test.each([
  ["000", 4],
  ["002", 16],
  ["003", 3],
  ["004", 2],
])("page %s is one error, with a fix for each of its %i blocks of code", (id, count) => {
  const source = documentOf(id);
  const { diagnostics, graph } = readDocument(source);
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ["document/page", "error"],
  ]);
  expect(graph.tensors).toEqual([]);
  const [page] = diagnostics;
  const fixes = page?.fixes ?? [];
  const single = fixes.filter(({ title }) => title.startsWith("Open line"));
  expect(single).toHaveLength(count);
  expect(new Set(fixes.map(({ title }) => title)).size).toBe(fixes.length);
  for (const { title, edits } of fixes) {
    const block = applyEdits(source, edits);
    const found = readDocument(block).diagnostics;
    expect(
      found.some(({ code }) => code === "document/page"),
      title,
    ).toBe(false);
  }
});

test("the blocks of a page are opened together, the definition before its call", () => {
  const page = [
    "To define an operator, write a function with its annotation:",
    "```py\ndef twice(x):\n    return add(x, x)\n```",
    "Then call it with a tensor that has two dims:",
    "```py\ny = twice(Tensor((8, 4)))\n```",
  ].join("\n");
  const [{ fixes = [] } = {}] = readDocument(page).diagnostics;
  const all = applyEdits(page, fixes.at(-1)?.edits ?? []);
  const { diagnostics, graph } = readDocument(all);
  expect(hasErrors(diagnostics)).toBe(false);
  expect(graph.operators.map(({ op }) => op)).toEqual(["add"]);
});
