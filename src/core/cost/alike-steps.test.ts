import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile, createDocumentCompiler } from "#compile";
import { flatSteps, type LocalStep } from "#core/program";
import { createDocumentReader } from "#systems";
import { type FoundOfSteps, onceForAlike } from "./alike-steps.ts";
import { estimateWithSchedule } from "./estimate.ts";
import { measureOf } from "./local-operator.ts";
import { operatorWork, valueBytes } from "./operator-seconds.ts";
import { createStepTimeCache } from "./step-time-cache.ts";

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

/** Number of local steps that are computed separately because they differ in more than names. */
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

const trained = [...chain, "loss = c.sum()", "train(loss)"].join("\n");
const versions = [
  trained,
  trained.replace("matmul(b, w)", "gelu(b)"),
  trained.replace("train(loss)", "train(loss, microbatches=2)"),
  trained.replace("train(loss)", "train(loss, microbatches=4)"),
  trained.replace("train(loss)", "train(loss, compiled=True)"),
  trained.replace("(64, 64)", '(64, 64), "bf16"'),
  `${trained}\nstrategy(b, m="dp")`,
  `${trained}\nstrategy(b, k="dp", n="mp")`,
  trained,
];

test("what is known of the steps of one version of a text holds for the next", () => {
  const [read, compileNext] = [createDocumentReader(), createDocumentCompiler()];
  const known = createStepTimeCache();
  for (const head of ["", ', hardware="4xH100"']) {
    const found: FoundOfSteps<number> = new Map();
    let [measured, all] = [0, 0];
    for (const version of versions) {
      const { program, hardware, rules } = compileNext(
        read(`mesh = Mesh(dp=2, mp=2${head})\n${version}\n`),
      );
      const sizes = valueBytes(program);
      expect(estimateWithSchedule(program, hardware, sizes, rules, known)).toEqual(
        estimateWithSchedule(program, hardware, sizes, rules),
      );
      if (program.microbatches !== undefined) continue;
      const measure = measureOf(program, sizes);
      const steps = flatSteps(program).flatMap((step) => (step.kind === "local" ? [step] : []));
      const countIn = onceForAlike(measure, () => (measured += 1), found);
      for (const step of steps) countIn(step);
      all += steps.length;
    }
    expect(measured).toBeLessThan(all / 2);
  }
});
