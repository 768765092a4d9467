import { expect, test } from "vitest";
import { inferAnswer } from "./infer.ts";
import { markFloats } from "./mark-floats.ts";

test.each`
  json                                                | marked
  ${'{"kwargs": {"h": 8.0, "t": 2}, "x": 1.0}'}       | ${'{"kwargs": {"h": {"float": 8.0}, "t": 2}, "x": 1.0}'}
  ${'{"kwargs":{"h":-1e3}}'}                          | ${'{"kwargs":{"h":{"float": -1e3}}}'}
  ${'{"x": 8.0}'}                                     | ${'{"x": 8.0}'}
  ${'{"kwargs": {"h": {"float": 8.0}}}'}              | ${'{"kwargs": {"h": {"float": 8.0}}}'}
  ${'{"kwargs": {"s": "8.0 } \\" 1.5", "l": [1.5]}}'} | ${'{"kwargs": {"s": "8.0 } \\" 1.5", "l": [1.5]}}'}
  ${'{"a": "\\"kwargs\\": {", "n": 2.0}'}             | ${'{"a": "\\"kwargs\\": {", "n": 2.0}'}
  ${'{"kwargs": {}, "n": 2.0}'}                       | ${'{"kwargs": {}, "n": 2.0}'}
`("$json is read as $marked", ({ json, marked }) => {
  expect(markFloats(json)).toBe(marked);
  expect(() => JSON.parse(marked)).not.toThrow();
});

test("a size that is a float is refused as Python refuses it", () => {
  const text = '{"annotation": "(h t) -> h t", "shapes": [[16]], "kwargs": {"h": 8.0}}';
  expect(inferAnswer(JSON.parse(markFloats(text))).diagnostics[0]).toMatchObject({
    upstream: "ValueError",
    message: 'argument "h" must be an integer, but is 8.0',
  });
});
