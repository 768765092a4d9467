import { expect, test } from "vitest";
import { tensorId } from "#core/ir";
import { propagate } from "#core/plan";
import { flatSteps, lower, type SpmdProgram } from "#core/program";
import { type StepFault, stepFaults, whyUndetectable } from "#execute/engine";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { randomProgram } from "./random-program.testing.ts";
import type { RunOptions, RunResult } from "./run-options.ts";
import { runProgram } from "./run-program.ts";
import { explainUndetectedFault, trialsOf } from "./undetected-fault.ts";

function ran(program: SpmdProgram, options: Partial<RunOptions> = {}): RunResult {
  const run = runProgram(program, { seed: 1, values: "integers", ...options });
  if (!run.ok) throw new Error(run.diagnostics[0]?.message);
  return run.value;
}

/** A product with a cut sum, then one whose columns are gathered. */
function twoSteps(): SpmdProgram {
  const mesh = testMesh({ p: 4 });
  const graph = testGraph({ x: [4, 8], w: [8, 4], v: [4, 8] }, [
    { result: "y", annotation: "m k+, k+ n -> m n", inputs: ["x", "w"] },
    { result: "z", annotation: "m n+, n+ o -> m o", inputs: ["y", "v"] },
    { result: "a", annotation: "m o -> m o", inputs: ["z"] },
  ]);
  const asked = testRequests(mesh, { y: { k: "p" }, z: { o: "p" }, a: { m: "p" } });
  return lower(graph, propagate(graph, mesh, asked).plan);
}

function collectivesOf(program: SpmdProgram) {
  return flatSteps(program).flatMap((step, at) =>
    step.kind === "collective" && step.collective !== "slice" ? [{ step, at }] : [],
  );
}

const zeros = (count: number) => new Array<number>(count).fill(0);

test("a fault that shows nothing says why, and one of another step is offered that does", () => {
  const program = twoSteps();
  const [sum, columns] = collectivesOf(program);
  if (sum === undefined || columns === undefined) throw new Error("expected two collectives");
  const own = [{ tensor: "x", numbers: zeros(32) }];
  const fault: StepFault = { step: sum.at, how: "stale" };
  const dead = ran(program, { own, sabotage: fault });
  expect(dead.equal).toBe(true);
  expect(explainUndetectedFault(dead.ran, fault)).toEqual({
    why: 'every cell of "y" is 0 in this run',
  });
  const order: StepFault = { step: sum.at, how: "swap" };
  const swapped = ran(program, { sabotage: order });
  expect(swapped.equal).toBe(true);
  expect(explainUndetectedFault(swapped.ran, order)).toEqual({
    why: "a sum is the same in every order",
    instead: { step: sum.at, how: "drop" },
  });
});

test("of a slice it is known which faults can show", () => {
  const tried = new Map<string, boolean>();
  for (let seed = 1; seed <= 40; seed += 1) {
    const program = randomProgram(seed);
    for (const [at, step] of flatSteps(program).entries()) {
      if (step.kind !== "collective" || step.collective !== "slice") continue;
      for (const how of stepFaults) {
        if (tried.get(how) === true) continue;
        const isKnown = whyUndetectable(program, step, how) !== undefined;
        const { equal } = ran(program, { seed, sabotage: { step: at, how } });
        if (isKnown) expect(equal, `${how} of ${seed}`).toBe(true);
        tried.set(how, !equal);
      }
    }
  }
  expect([...tried].filter(([, shows]) => shows).map(([how]) => how)).toEqual(["drop", "scale"]);
});

test("one device that adds nothing of its own goes on with what it should have: that is said", () => {
  const program = twoSteps();
  const [sum] = collectivesOf(program);
  if (sum === undefined) throw new Error("expected a collective");
  // Only the first device's partial sum is not 0, so that device already holds the whole sum.
  const numbers = Array.from({ length: 32 }, (_, at) => (at % 8 < 2 ? 1 + at : 0));
  const fault: StepFault = { step: sum.at, how: "stale" };
  const run = ran(program, { own: [{ tensor: "x", numbers }], sabotage: fault });
  expect(run.equal).toBe(true);
  const { why, instead } = explainUndetectedFault(run.ran, fault);
  expect(why).toBe("on these numbers that device has already what it would receive");
  if (instead === undefined) throw new Error("expected another fault");
  expect(ran(program, { own: [{ tensor: "x", numbers }], sabotage: instead }).equal).toBe(false);
});

test("a parameter of equal numbers that is cut otherwise says that", () => {
  const program = twoSteps();
  const tensor = tensorId("v");
  const fault = { tensor, how: "cut" } as const;
  const run = ran(program, { own: [{ tensor: "v", numbers: zeros(32) }], sabotage: fault });
  expect(run.equal).toBe(true);
  expect(explainUndetectedFault(run.ran, fault).why).toBe('every cell of "v" is 0 in this run');
});

test("what is said of a fault before it is put in is what a run with it says", () => {
  const counts = { shows: 0, same: 0, known: 0 };
  const seeds = Array.from(
    { length: process.env.SOAK === undefined ? 12 : 300 },
    (_, at) => at + 1,
  );
  for (const seed of seeds) {
    const program = randomProgram(seed);
    const sound = ran(program, { seed });
    for (const { step, at } of collectivesOf(program)) {
      const trial = trialsOf(sound.ran, at);
      for (const how of stepFaults) {
        const told = trial(how);
        const broken = ran(program, { seed, sabotage: { step: at, how } });
        expect(told.kind, `${how} of step ${at} of ${seed}`).toBe(broken.equal ? "same" : "shows");
        if (told.kind === "unknown") continue;
        counts[told.kind] += 1;
        if (whyUndetectable(program, step, how) !== undefined) counts.known += 1;
        if (!broken.equal) continue;
        const { instead } = explainUndetectedFault(broken.ran, { step: at, how });
        if (instead !== undefined)
          expect(ran(program, { seed, sabotage: instead }).equal).toBe(false);
      }
    }
  }
  expect(counts.shows).toBeGreaterThan(60);
  expect(counts.same).toBeGreaterThan(10);
  expect(counts.known).toBeGreaterThan(0);
});
