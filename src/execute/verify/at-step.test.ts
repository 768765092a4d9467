import { expect, test } from "vitest";
import { compile } from "#compile";
import { runPlan } from "./run-plan.ts";

const text = `mesh = Mesh(dp=2, tp=2)
x = Tensor((8, 16))
w = Parameter((16, 16))
y = matmul(x, w)
strategy(y, m="dp", n="tp")
train(y.sum(), optimizer="adam")
`;

/** The new weight after a step that is the optimizer's n-th, from the same numbers. */
function weightAfter(optimizerStep: number): number {
  const { plan, program } = compile(text);
  const run = runPlan(plan, program, { seed: 1, values: "floats", optimizerStep });
  if (!run.ok) throw new Error(run.diagnostics[0]?.message);
  expect(run.value.equal).toBe(true);
  const tensor = run.value.tensors.find(({ name }) => name === "w.new");
  const whole = tensor && run.value.ran.wanted.get(tensor.tensor);
  return whole?.values[0] ?? Number.NaN;
}

test("an optimizer's second and tenth step equal the unsharded ones, and are not its first", () => {
  const weights = [1, 2, 10].map(weightAfter);
  expect(new Set(weights).size).toBe(3);
  expect(weights.every(Number.isFinite)).toBe(true);
});
