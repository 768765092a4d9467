import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { flatSteps, type LocalStep } from "#core/program";
import { onceForAlike } from "./alike-steps.ts";
import { measureOf } from "./local-operator.ts";
import { operatorWork, valueBytes } from "./operator-seconds.ts";

function stepsOf(text: string) {
  const { program, hardware } = compile(text);
  const measure = measureOf(program, valueBytes(program));
  const steps = flatSteps(program).filter((step): step is LocalStep => step.kind === "local");
  return { measure, steps, workOf: (step: LocalStep) => operatorWork(step, measure, hardware) };
}

const programs = examples.map(({ name, program }) => [name, program] as const);

test.each(programs)("the steps of %s take what each takes by itself", (_, program) => {
  const { measure, steps, workOf } = stepsOf(program);
  const shared = onceForAlike(measure, workOf);
  expect(steps.map(shared)).toEqual(steps.map(workOf));
});

/** How many different steps a program has, as far as its device can tell. */
function asked(lines: readonly string[], mesh = "dp=2, mp=2"): number {
  const { measure, steps } = stepsOf([`mesh = Mesh(${mesh})`, ...lines, ""].join("\n"));
  const seen: LocalStep[] = [];
  const shared = onceForAlike(measure, (step) => seen.push(step));
  for (const step of steps) shared(step);
  return seen.length;
}

const chain = [
  "x = Tensor((64, 64))",
  "w = Parameter((64, 64))",
  "a = matmul(x, w)",
  "b = matmul(a, w)",
  "c = matmul(b, w)",
];

test("equal layers are asked about once, and what differs in anything but names is not", () => {
  expect(asked(chain)).toBe(1);
  expect(asked([...chain, 'strategy(c, m="dp")'])).toBe(2);
  expect(asked([...chain, "d = matmul(x.to(torch.bfloat16), w.to(torch.bfloat16))"])).toBe(3);
  expect(asked([...chain, "d = matmul(c, Parameter((64, 32)))"])).toBe(2);
  const scaled = ["x = Tensor((64, 64))", "a = dropout(x, p=0.5)", "b = dropout(a, p=0.0)"];
  expect(asked(scaled)).toBe(2);
});
