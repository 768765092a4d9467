import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { removeJson, setJson } from "./edit-json.ts";
import type { JsonPath } from "./json-node.ts";
import { example, runs } from "./loom.testing.ts";
import { readJson } from "./read-json.ts";

function set(text: string, path: JsonPath, value: Parameters<typeof setJson>[3]): string {
  const { tree } = readJson(text);
  return tree === undefined ? text : applyEdits(text, setJson(text, tree, path, value));
}

function remove(text: string, path: JsonPath): string {
  const { tree } = readJson(text);
  return tree === undefined ? text : applyEdits(text, removeJson(tree, path));
}

test.each`
  text                          | path          | value             | after
  ${'{"a" :1 , "b":[ 1,  2 ]}'} | ${["b"]}      | ${[1, 3]}         | ${'{"a" :1 , "b":[ 1,  3 ]}'}
  ${'{"a" :1 , "b":[ 1,  2 ]}'} | ${["b", 2]}   | ${3}              | ${'{"a" :1 , "b":[ 1,  2,  3 ]}'}
  ${'{"a" :1 , "b":2}'}         | ${["c"]}      | ${{ d: 1 }}       | ${'{"a" :1 , "b":2, "c":{"d":1}}'}
  ${"{}"}                       | ${["c"]}      | ${1}              | ${'{ "c": 1 }'}
  ${"[ ]"}                      | ${[0]}        | ${1}              | ${"[ 1 ]"}
  ${'{"a": {"b": 1, "c": 2}}'}  | ${["a"]}      | ${{ c: 3, b: 1 }} | ${'{"a": {"b": 1, "c": 3}}'}
  ${'{\n  "a": 1\n}'}           | ${["b"]}      | ${{ c: [1] }}     | ${'{\n  "a": 1,\n  "b": {\n    "c": [1]\n  }\n}'}
  ${'{"a": 1}'}                 | ${["x", "y"]} | ${1}              | ${'{"a": 1}'}
`("$path of $text becomes $value", ({ text, path, value, after }) => {
  expect(set(text, path, value)).toBe(after);
});

test.each`
  text                  | path     | after
  ${'{"a": 1, "b": 2}'} | ${["a"]} | ${'{"b": 2}'}
  ${'{"a": 1, "b": 2}'} | ${["b"]} | ${'{"a": 1}'}
  ${'{ "a": 1 }'}       | ${["a"]} | ${"{}"}
  ${"[1,\n 2,\n 3]"}    | ${[1]}   | ${"[1,\n 3]"}
  ${"[1]"}              | ${[4]}   | ${"[1]"}
`("$path is taken out of $text", ({ text, path, after }) => {
  expect(remove(text, path)).toBe(after);
});

test("a moved range changes its numbers and no other byte", () => {
  const path = ["nodes", 3, "body", "inputs", "tensors", 1, "range"];
  const moved = set(example, path, { start: [200, 50], end: [205, 55] });
  expect(moved.split("\n").filter((line, at) => line !== example.split("\n")[at])).toEqual([
    '            "end" : [ 205, 55 ]',
  ]);
});

test("a value that was set is read back, and taking it out gives back the value before", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
      fc.string(),
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(undefined, 2, "\t"),
      (object, name, value, indent) => {
        const plain = JSON.parse(JSON.stringify(object));
        const wanted = JSON.parse(JSON.stringify(value), (_, inner) => (inner === 0 ? 0 : inner));
        const text = JSON.stringify(plain, undefined, indent);
        const after = JSON.parse(set(text, [name], wanted));
        expect(after[name]).toEqual(wanted);
        expect(Object.keys(after).length).toBe(new Set([...Object.keys(plain), name]).size);
        const without = JSON.parse(remove(JSON.stringify(after, undefined, indent), [name]));
        expect(Object.hasOwn(without, name)).toBe(false);
      },
    ),
    runs(100),
  );
});
