import { expect, test } from "vitest";
import { readNumbers } from "./read-numbers.ts";

test.each([
  ["", []],
  ["1 2 3", [1, 2, 3]],
  ["[[1, −2], [3e1, .5]]", [1, -2, 30, 0.5]],
  ["1;2\n-3.\t+4", [1, 2, -3, 4]],
])("%j is read as %j", (text, numbers) => {
  expect(readNumbers(text)).toEqual({ numbers });
});

test.each(["x", "1 two", "0x10", "Infinity", "1-2", "NaN"])(
  "%j has a piece that is none",
  (text) => {
    expect(readNumbers(text)).toEqual({ numbers: [], fault: text.split(" ").at(-1) });
  },
);
