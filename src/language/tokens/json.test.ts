import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonFolds, jsonText, jsonTokens, type OpenJson, scanJson } from "./json.ts";

/** Key path to each token of a kind. */
function ways(text: string, kind: string): readonly string[] {
  const found: string[] = [];
  const way = (open: readonly OpenJson[]) => open.map(({ key }) => key ?? "*").join(".");
  scanJson(text, {
    token: (token, open) => {
      if (token.kind === kind) found.push(`${way(open)} ${text.slice(token.from, token.to)}`);
      return undefined;
    },
  });
  return found;
}

test("names, texts and numbers are told with the way to them", () => {
  const text = '{ "id" : "a", "nodes" : [ { "id" : "b" }, { "at" : [ 0, -5 ], "is" : true } ] }';
  expect(ways(text, "name")).toEqual([
    '* "id"',
    '* "nodes"',
    'nodes.0.* "id"',
    'nodes.1.* "at"',
    'nodes.1.* "is"',
  ]);
  expect(ways(text, "string")).toEqual(['id "a"', 'nodes.0.id "b"']);
  expect(ways(text, "number")).toEqual(["nodes.1.at.0 0", "nodes.1.at.1 -5"]);
  expect(ways(text, "word")).toEqual(["nodes.1.is true"]);
});

test("a text that is being typed still has its place", () => {
  expect(ways('{ "nodes": [ { "type": "loo', "string")).toEqual(['nodes.0.type "loo']);
  expect(ways('{ "a": , "b', "name")).toEqual(['* "a"', '* "b']);
});

test("a quoted text says what JSON says, closed or not", () => {
  expect(['"a\\"b"', '"ab', '"\\u0041"', '"\\', '"'].map(jsonText)).toEqual([
    'a"b',
    "ab",
    "A",
    "\\",
    "",
  ]);
});

test("objects of several lines fold to their first line, one fold per line", () => {
  const text = '{\n  "a" : [ {\n    "b" : 1\n  } ],\n  "c" : [ 1 ]\n}\n';
  const lines = jsonFolds(text).map(({ from, to }) =>
    [from, to].map((at) => text.slice(0, at).split("\n").length),
  );
  expect(lines).toEqual([
    [1, 5],
    [2, 3],
  ]);
});

test("any text is scanned to its end, tokens in order", () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a',
    '"b"',
    "1",
    " ",
    "\n",
    "nul",
    "\\",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const tokens = jsonTokens(pieces.join(""));
      expect(tokens.every(({ from }, at) => at === 0 || (tokens[at - 1]?.to ?? 0) <= from)).toBe(
        true,
      );
      jsonFolds(pieces.join(""));
    }),
    { seed: 1, numRuns: process.env.SOAK ? 5000 : 200 },
  );
});
