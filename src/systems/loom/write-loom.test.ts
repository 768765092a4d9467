import { expect, test } from "vitest";
import { checkLoom, readLoom } from "./check-loom.ts";
import { caseTexts, example, graph, id, nodeType } from "./loom.testing.ts";
import { writeLoom } from "./write-loom.ts";

function rewritten(text: string): string {
  const { graph: read } = readLoom(text);
  if (read === undefined) throw new Error("the text cannot be read");
  return writeLoom(read);
}

test("[1.5] the example of the dialect's page is written byte for byte", () => {
  expect(rewritten(example)).toBe(example.trim());
});

test("[1.5] every clean case is read back as the same graph, and written the same again", () => {
  const clean = caseTexts.filter(({ isClean }) => isClean);
  expect(clean.length).toBeGreaterThan(40);
  for (const { text, dialect, dtypes } of clean) {
    const once = rewritten(text);
    expect(rewritten(once)).toBe(once);
    const options = { ...(dialect && { dialect }), ...(dtypes && { dtypes }) };
    const [before, after] = [checkLoom(text, options), checkLoom(once, options)];
    expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const byId = (nodes = before.graph?.nodes ?? []) =>
      [...nodes].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(after.graph?.nodes)).toEqual(byId());
  }
});

test("[1.5] ids stand in Java's order, names in the alphabet's, and what is empty is left out", () => {
  const text = graph(
    { id: id(1), type: nodeType("Note"), label: "", body: { message: "a" }, tags: {} },
    { id: `f${id(2).slice(1)}`, type: nodeType("Note"), label: null, body: { message: "b" } },
    {
      id: `0${id(3).slice(1)}`,
      type: nodeType("Operation"),
      label: 7,
      body: { kernel: "k", params: { b: { d: 1, c: [] }, a: null }, inputs: {} },
    },
  );
  expect(rewritten(text).split("\n")).toEqual([
    "{",
    `  "id" : "${id("a0")}",`,
    '  "nodes" : [ {',
    `    "id" : "f${id(2).slice(1)}",`,
    `    "type" : "${nodeType("Note")}",`,
    '    "body" : {',
    '      "message" : "b"',
    "    }",
    "  }, {",
    `    "id" : "${id(1)}",`,
    `    "type" : "${nodeType("Note")}",`,
    '    "body" : {',
    '      "message" : "a"',
    "    }",
    "  }, {",
    `    "id" : "${id(3)}",`,
    `    "type" : "${nodeType("Operation")}",`,
    '    "label" : "7",',
    '    "body" : {',
    '      "kernel" : "k",',
    '      "params" : {',
    '        "a" : null,',
    '        "b" : {',
    '          "c" : [ ],',
    '          "d" : 1',
    "        }",
    "      }",
    "    }",
    "  } ]",
    "}",
  ]);
  expect(rewritten(graph())).toContain('"nodes" : [ ]');
});
