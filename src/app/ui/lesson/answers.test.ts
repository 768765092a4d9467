import { expect, test } from "vitest";
import { readNumber } from "./answers.ts";

test.each`
  text           | value
  ${"3145728"}   | ${3145728}
  ${"3 145 728"} | ${3145728}
  ${"3,145,728"} | ${3145728}
  ${"3.15 MB"}   | ${3150000}
  ${"3,15 MB"}   | ${3150000}
  ${"3 MiB"}     | ${3145728}
  ${" 1.5kB "}   | ${1500}
  ${"0"}         | ${0}
  ${"22 µs"}     | ${22e-6}
  ${""}          | ${undefined}
  ${"many"}      | ${undefined}
  ${"3 parsecs"} | ${undefined}
  ${"1.2.3"}     | ${undefined}
`("$text is read as $value", ({ text, value }) => {
  if (value === undefined) expect(readNumber(text)).toBeUndefined();
  else expect(readNumber(text)).toBeCloseTo(value, 9);
});

test("few bytes without a unit lack it", () => {
  for (const text of ["3.15", "525", "999.9"]) expect(readNumber(text, true)).toBeUndefined();
  expect(["0", "1000", "3145728", "525 B"].map((text) => readNumber(text, true))).toEqual([
    ...[0, 1000, 3145728, 525],
  ]);
});
