import { expect, test } from "vitest";
import { evaluate } from "../compiling/evaluate.ts";
import type { Host } from "../values/host.ts";

const host: Host = { globals: new Map() };

// Output of CPython 3.11.
test.each`
  expression                  | printed
  ${"1j"}                     | ${"1j"}
  ${"1_0.5J"}                 | ${"10.5j"}
  ${"2j * 1j"}                | ${"(-2+0j)"}
  ${"1 + 2j"}                 | ${"(1+2j)"}
  ${"1.5 - 2j"}               | ${"(1.5-2j)"}
  ${"True + 0j"}              | ${"(1+0j)"}
  ${"(1 + 2j) / (3 - 1j)"}    | ${"(0.1+0.7000000000000001j)"}
  ${"(1 + 2j) / (1 - 3j)"}    | ${"(-0.5+0.49999999999999994j)"}
  ${"-1j"}                    | ${"(-0-1j)"}
  ${"1e20j"}                  | ${"1e+20j"}
  ${"abs(3 + 4j)"}            | ${"5.0"}
  ${"(1 + 2j).real"}          | ${"1.0"}
  ${"(1 + 2j).imag"}          | ${"2.0"}
  ${"(1 + 2j).conjugate()"}   | ${"(1-2j)"}
  ${"2 + 0j == 2, 1j == 1"}   | ${"True False"}
  ${"bool(0j), bool(1j)"}     | ${"False True"}
  ${"1j if 0j else 'nought'"} | ${"nought"}
`("complex numbers are CPython's: $expression", ({ expression, printed }) => {
  const isTuple = expression.includes(", ");
  const { output } = evaluate(`print(${isTuple ? `*(${expression})` : expression})`, host);
  expect(output).toBe(`${printed}\n`);
});

test("a complex number is divided by nought as little as any other", () => {
  const { diagnostics } = evaluate("1 / 0j", host);
  expect(diagnostics[0]?.message).toContain("complex division by zero");
});
