import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { createPartClock, paceOf, paceTexts, secondsAt } from "./pace.ts";
import { resolveBodies } from "./resolve-bodies.ts";
import { runPlan } from "./run-plan.ts";
import { workOf } from "./run-work.ts";

const programs = {
  product: compile(paceTexts.product).program,
  function: compile(paceTexts.function).program,
  steps: compile(paceTexts.steps).program,
};

function workIn(text: string) {
  const { program } = compile(text);
  return workOf(program, resolveBodies(program.graph, undefined));
}

const second = fc.double({ min: 0.001, max: 10, noNaN: true });
const parts = fc.record({ reference: second, devices: second, comparison: second });

test("what a pace was measured on takes at that pace about as long as it took", () => {
  const property = fc.property(parts, parts, parts, (product, cells, steps) => {
    // Steps without work take a small part of the others' time.
    const few = { ...steps, devices: Math.min(product.devices, cells.devices) / 10 };
    const pace = paceOf({
      product: { program: programs.product, seconds: product },
      function: { program: programs.function, seconds: cells },
      steps: { program: programs.steps, seconds: few },
    });
    const taken = secondsAt(workIn(paceTexts.product), pace);
    expect(taken).toBeGreaterThanOrEqual((product.reference + product.devices) * 0.999);
    const all = secondsAt(workIn(paceTexts.function), pace);
    const measured = cells.reference + cells.devices + cells.comparison;
    expect(all / measured).toBeCloseTo(1, 6);
  });
  fc.assert(property, { seed: 1, numRuns: 100 });
});

test("twice the columns of a product take twice as long, and a lookup does not read all of its table", () => {
  const columns = (n: number) =>
    workIn(`x = Tensor((64, 64))\nw = Parameter((64, ${n}))\ny = matmul(x, w)\n`);
  expect(columns(512).devices.products).toBe(2 * columns(256).devices.products);
  expect(columns(512).whole.others).toBe(0);
  const rows = (n: number) =>
    workIn(`i = Tensor((8,), "i64")\nw = Parameter((${n}, 16))\ny = embedding(i, w)\n`);
  expect(rows(1024).whole.others).toBe(rows(2).whole.others);
  // Attention is two products, of scores and of weighted values, not one with all dims of both.
  const attention = (width: number) =>
    workIn(`q = Tensor((1, 2, 16, ${width}))\ny = attention(q, q, q)\n`);
  expect(attention(64).whole.others).toBeLessThan(2.1 * attention(32).whole.others);
});

test("a run that would take longer than it may at the measured pace is refused with both", () => {
  const text = "x = Tensor((64, 64))\nw = Tensor((64, 64))\ny = matmul(x, w)\n";
  const { plan, program } = compile(text);
  const slow = { products: 1, others: 1 };
  const pace = { whole: slow, devices: slow, step: 1, elements: 1 };
  const options = { seed: 1, values: "integers", sizes: "own", mostWork: 1, pace } as const;
  const [refusal] = runPlan(plan, program, options).diagnostics;
  expect(refusal?.message).toMatch(/^at the pace .* about 5\d{5} s, and it is given 3600 s/);
  const quick = { products: 1e6, others: 1e6 };
  const fast = { whole: quick, devices: quick, step: 1e-6, elements: 1e6 };
  expect(runPlan(plan, program, { ...options, pace: fast }).ok).toBe(true);
});

test("the parts of a run are timed from one to the next, and the last until it is read", () => {
  let now = 0;
  const clock = createPartClock(() => now);
  for (const [part, at] of [
    ["devices", 1000],
    ["reference", 1500],
    ["comparison", 3500],
  ] as const) {
    now = at;
    clock.onPart(part);
  }
  now = 3750;
  expect(clock.seconds()).toEqual({ devices: 0.5, reference: 2, comparison: 0.25 });
});
