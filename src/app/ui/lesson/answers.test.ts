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
