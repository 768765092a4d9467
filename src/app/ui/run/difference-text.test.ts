import { expect, test } from "vitest";
import { differenceText, relativeText } from "./difference-text.ts";

test.each([
  [0, "0"],
  [18, "18"],
  [0.125, "0.125"],
  [4.7712e-7, "4.77e−7"],
  [123_456_789, "1.23e8"],
  [Number.POSITIVE_INFINITY, "no number"],
])("a difference of %d is written %s", (difference, text) => {
  expect(differenceText(difference)).toBe(text);
});

test("off a 0 there is no relative difference, and where there is no number neither", () => {
  expect(relativeText(18 / Number.MIN_VALUE, 18)).toBe("off a 0");
  expect(relativeText(1e-9 / Number.MIN_VALUE, 1e-9)).toBe("off a 0");
  expect(relativeText(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe("no number");
  expect(relativeText(0.5, 2)).toBe("0.5");
});
