import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { type JsonNode, memberOf, nodeAt, toJson } from "./json-node.ts";
import { runs, said } from "./loom.testing.ts";
import { maxDepth, readJson } from "./read-json.ts";

test("what JSON.parse reads is read alike, and every value stands where it says", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(undefined, 1, "\t"),
      (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const { tree, diagnostics } = readJson(text);
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        if (tree === undefined) throw new Error("nothing was read");
        expect(toJson(tree)).toEqual(parsed(text));
        expectPlaces(text, tree);
      },
    ),
    runs(200),
  );
});

/** The result of JSON.parse, with -0 as 0. */
function parsed(text: string): unknown {
  return JSON.parse(text, (_, value) => (value === 0 ? 0 : value));
}

function expectPlaces(text: string, node: JsonNode): void {
  expect(parsed(text.slice(node.span.from, node.span.to))).toEqual(toJson(node));
  if (node.kind === "array") for (const item of node.items) expectPlaces(text, item);
  if (node.kind === "object") for (const { value } of node.members) expectPlaces(text, value);
}

test("a text is refused exactly when JSON.parse refuses it", () => {
  const pieces = fc.constantFrom(
    ...[
      '"',
      '"a"',
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "1",
      "-0.5e3",
      "01",
      "true",
      "nul",
      " ",
      "\n",
      "//x\n",
    ],
  );
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const text = parts.join("");
      const { tree, diagnostics } = readJson(text);
      const isRead =
        tree !== undefined && diagnostics.every(({ severity }) => severity !== "error");
      expect(isRead).toBe(isJson(text));
      if (isRead) accepted++;
      for (const { span, message } of diagnostics) {
        expect(message).not.toBe("");
        expect(span?.from).toBeGreaterThanOrEqual(0);
        expect(span?.to).toBeLessThanOrEqual(text.length);
      }
    }),
    runs(2000),
  );
  expect(accepted).toBeGreaterThan(30);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each`
  text                 | mended
  ${'{"a": 1,}'}       | ${'{"a": 1}'}
  ${"[1, 2,\n]"}       | ${"[1, 2\n]"}
  ${'{"a": 1 "b": 2}'} | ${'{"a": 1, "b": 2}'}
  ${"[1 // one\n]"}    | ${"[1 \n]"}
  ${"/* x */ [1]"}     | ${" [1]"}
`("$text is read over, and mended to $mended", ({ text, mended }) => {
  const { tree, diagnostics } = readJson(text);
  expect(tree && toJson(tree)).toEqual(JSON.parse(mended));
  expect(diagnostics.map(({ code }) => code)).toEqual(["loom/no-json"]);
  const edits = diagnostics.flatMap(({ fixes = [] }) => fixes.flatMap((fix) => fix.edits));
  expect(applyEdits(text, edits)).toBe(mended);
});

test.each`
  text             | message                                                    | place
  ${"{<name>: 1}"} | ${'expected a name in double quotes, but found "<name>:"'} | ${"<"}
  ${'{"a" 1}'}     | ${'JSON expects ":" behind a name'}                        | ${"1"}
  ${'{"a": ...}'}  | ${'expected a value, but found "...}"'}                    | ${"."}
  ${'{"a": [1'}    | ${'a "]" is missing'}                                      | ${"["}
  ${'["a'}         | ${"no closing quote"}                                      | ${""}
  ${'["\\x"]'}     | ${'"\\x" is no escape'}                                    | ${"\\"}
  ${'["\t"]'}      | ${"control characters"}                                    | ${"\t"}
  ${"[1] 2"}       | ${"JSON ends here"}                                        | ${"2"}
  ${""}            | ${"found the end of the text"}                             | ${""}
  ${"{} }"}        | ${"JSON ends here"}                                        | ${"}"}
`("$text: $message", ({ text, message, place }) => {
  const { diagnostics } = readJson(text);
  expect(diagnostics.length).toBe(1);
  expect(diagnostics[0]?.message).toContain(message);
  expect(said(text, diagnostics)).toEqual([`loom/no-json at ${place}`]);
});

test("what was read before a fault is kept", () => {
  const { tree } = readJson('{"a": [1, 2], "b": ?');
  expect(tree && toJson(tree)).toEqual({ a: [1, 2] });
});

test("nesting beyond the limit is a fault, not a crash", () => {
  const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(readJson(deep(maxDepth)).diagnostics).toEqual([]);
  expect(readJson(deep(maxDepth + 1)).diagnostics[0]?.message).toContain("nested deeper");
  expect(readJson(deep(100_000)).diagnostics.length).toBe(1);
});

test("of two members with one name the last counts, with a warning", () => {
  const text = '{"a": 1, "a": 2, "__proto__": 3}';
  const { tree, diagnostics } = readJson(text);
  expect(said(text, diagnostics)).toEqual(['loom/name-twice at "a"']);
  expect(tree && memberOf(tree, "a")?.value).toMatchObject({ value: 2 });
  expect(tree && nodeAt(tree, ["__proto__"])).toMatchObject({ value: 3 });
  expect(tree && Object.keys(Object(toJson(tree)))).toEqual(["a", "__proto__"]);
});

test("numbers that change in double precision are named", () => {
  const text = "[9007199254740993, 9007199254740991, 9007199254740992, 1e400, 1e+300, 3e20, 0.1]";
  expect(said(text, readJson(text).diagnostics)).toEqual([
    "loom/inexact-number at 9007199254740993",
    "loom/inexact-number at 1e400",
  ]);
});
