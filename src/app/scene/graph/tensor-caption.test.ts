import { expect, test } from "vitest";
import { afarWidth, nameParts } from "./tensor-caption.ts";

test.each([
  ["layers[0].norm.weight", ["layers[0].norm", ".weight"]],
  ["x", ["x", ""]],
  [".grad", [".grad", ""]],
])("of %s the last part stays where the name is cut", (name, parts) => {
  expect(nameParts(name)).toEqual(parts);
});

test("twelve letters of a name have room from afar, a longer one takes no more", () => {
  expect(afarWidth("unsqueeze_1")).toBeLessThan(afarWidth("unsqueeze_11"));
  expect(afarWidth("unsqueeze_1111")).toBe(afarWidth("unsqueeze_11"));
});
