import { expect, test } from "vitest";
import { evaluate, type Host } from "../index.ts";

const host: Host = { globals: new Map() };

function run(expression: string) {
  const { output, diagnostics } = evaluate(`import math\nprint(${expression})`, host, {
    recover: false,
  });
  const fault = diagnostics.find(({ severity }) => severity === "error");
  return { output: output.trim(), raised: fault?.upstream };
}

// Answers of CPython 3.11.
test.each`
  expression                 | value
  ${"math.erf(0.5)"}         | ${0.5204998778130465}
  ${"math.erf(-2)"}          | ${-0.9953222650189527}
  ${"math.erf(1.5)"}         | ${0.9661051464753108}
  ${"math.erfc(0.3)"}        | ${0.6713732405408726}
  ${"math.erfc(4)"}          | ${1.541725790028002e-8}
  ${"math.erfc(-1.6)"}       | ${1.976348383344644}
  ${"math.gamma(0.5)"}       | ${1.772453850905516}
  ${"math.gamma(10)"}        | ${362880}
  ${"math.gamma(-1.5)"}      | ${2.363271801207355}
  ${"math.gamma(150.5)"}     | ${4.661072627097377e261}
  ${"math.lgamma(0.1)"}      | ${2.252712651734206}
  ${"math.lgamma(1000)"}     | ${5905.220423209181}
  ${"math.ulp(1.0)"}         | ${2 ** -52}
  ${"math.nextafter(1, 0)"}  | ${1 - 2 ** -53}
  ${"math.nextafter(-1, 0)"} | ${-1 + 2 ** -53}
  ${"math.remainder(7, 2)"}  | ${-1}
  ${"math.remainder(5, 2)"}  | ${1}
  ${"math.remainder(-7, 3)"} | ${-1}
`("$expression is what CPython says, to 13 digits", ({ expression, value }) => {
  const { output } = run(expression);
  expect(Math.abs(Number(output) / value - 1)).toBeLessThan(1e-13);
});

test.each`
  expression
  ${"math.gamma(-1)"}
  ${"math.gamma(0)"}
  ${"math.lgamma(-2)"}
  ${"math.remainder(1, 0)"}
`("$expression raises ValueError, as in CPython", ({ expression }) => {
  expect(run(expression).raised).toBe("ValueError");
});

test("gamma beyond floats raises OverflowError", () => {
  expect(run("math.gamma(172)").raised).toBe("OverflowError");
  expect(run("math.erf(math.inf), math.erfc(40), math.ulp(math.inf)").output).toBe("1.0 0.0 inf");
});
