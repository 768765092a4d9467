import { expect, test } from "vitest";
import { compile } from "#compile";
import { runPlan } from "./run-plan.ts";

/** The codes of a run's diagnostics. */
function codesOf(program: string): readonly string[] {
  const { plan, program: lowered } = compile(program);
  const run = runPlan(plan, lowered, { seed: 1, values: "floats" });
  return run.diagnostics.map(({ code }) => code);
}

/** A product that `count` devices cut, by the identifier `cut`. */
function product(count: number, cut: "m" | "k"): string {
  const size = Math.max(8, count);
  const shapes = cut === "m" ? [`(${size}, 8)`, "(8, 8)"] : [`(1, ${size})`, `(${size}, 1)`];
  const [x, w] = shapes;
  return `mesh = Mesh(d=${count})\nx = Tensor(${x})\nw = Parameter(${w})\ny = matmul(x, w)\nstrategy(y, ${cut}="d")\nz = gelu(y)\n`;
}

test.each`
  count   | cut    | codes
  ${64}   | ${"m"} | ${[]}
  ${64}   | ${"k"} | ${[]}
  ${1024} | ${"k"} | ${["execute/reduced-sizes"]}
  ${8192} | ${"m"} | ${["execute/reduced-sizes"]}
  ${4096} | ${"k"} | ${["execute/too-large"]}
`("a product cut by $cut over $count devices ends with $codes", ({ count, cut, codes }) => {
  expect(codesOf(product(count, cut))).toEqual(codes);
});

test("many points give way to smaller sizes, on which the plan is the same", () => {
  const program = "x = Tensor((256, 256))\nw = Parameter((256, 256))\ny = matmul(x, w)\n";
  expect(codesOf(program)).toEqual(["execute/reduced-sizes"]);
});
