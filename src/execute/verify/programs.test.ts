import fc from "fast-check";
import { expect, test } from "vitest";
import { propagate } from "#core/plan";
import { type CollectiveStep, lower, type SpmdProgram } from "#core/program";
import { type CpuRun, runCpu, type Sabotage } from "#execute/cpu";
import { leafValues } from "#execute/reference";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { randomProgram } from "./random-program.testing.ts";
import { runProgram } from "./run-program.ts";

const factor = process.env.SOAK === undefined ? 1 : 20;

function summaryOf(program: SpmdProgram): string {
  const calls = program.graph.operators.map(({ name, call }) => `${name} = ${call}`);
  return `${calls.join("; ")} on ${program.devices.length} devices`;
}

test("random programs under random plans equal the reference: integers bit for bit, floats within the bound", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const program = randomProgram(seed);
      for (const values of ["integers", "floats"] as const) {
        const run = runProgram(program, { seed, values });
        if (!run.ok) throw new Error(run.diagnostics[0]?.message);
        expect(run.diagnostics).toEqual([]);
        expect(run.value.first, `${values}: ${summaryOf(program)}`).toBeUndefined();
        if (values === "integers") expect(run.value.maxAbsDiff).toBe(0);
      }
    }),
    { seed: 1, numRuns: 500 * factor },
  );
});

/** Every collective that moves data, with its number. */
function collectivesOf(program: SpmdProgram): readonly (readonly [number, CollectiveStep])[] {
  const steps = program.stages.flatMap((stage) => stage.steps);
  return steps.flatMap((step, at) =>
    step.kind === "collective" && step.collective !== "slice" ? [[at, step] as const] : [],
  );
}

/** Whether the result of a step is the same on every device with and without a fault. */
function isSameData(program: SpmdProgram, step: CollectiveStep, sabotage: Sabotage, seed: number) {
  const inputs = leafValues(program.graph, seed, "integers");
  const [right, wrong] = [undefined, sabotage].map((fault): CpuRun => {
    const options = {
      values: "integers" as const,
      ...(fault !== undefined && { sabotage: fault }),
    };
    return runCpu(program, inputs, options);
  });
  const made = [right, wrong].map((run) =>
    JSON.stringify(
      [...(run?.get(step.output) ?? [])].map(([device, blocks]) => [
        device,
        blocks.map(({ values }) => [...values]),
      ]),
    ),
  );
  return made[0] === made[1];
}

/** A fault that the comparison did not find, and why, if there is a good reason. */
interface Survivor {
  readonly fault: string;
  readonly reason: string | undefined;
}

/** Puts a fault into every collective of some kinds in random programs, one at a time. */
function plant(how: Sabotage["how"], kinds: readonly string[]) {
  const survivors: Survivor[] = [];
  const tried = new Map<string, number>();
  for (let seed = 1; seed <= 300 * factor; seed += 1) {
    const program = randomProgram(seed);
    for (const [step, collective] of collectivesOf(program)) {
      if (!kinds.includes(collective.collective)) continue;
      tried.set(collective.collective, (tried.get(collective.collective) ?? 0) + 1);
      const sabotage = { step, how };
      const run = runProgram(program, { seed, values: "integers", sabotage });
      if (run.ok && !run.value.equal) continue;
      const fault = `seed ${seed}: ${how} ${collective.collective} of ${collective.input}`;
      const isSame = isSameData(program, collective, sabotage, seed);
      survivors.push({ fault, reason: isSame ? sameData : undefined });
    }
  }
  return { tried, survivors };
}

const sameData = "every device has the same data either way";
const moving = ["all-gather", "reduce-scatter", "all-to-all", "collective-permute", "exchange"];

test.each([
  ["drop", [...moving, "all-reduce"]],
  ["swap", moving],
] as const)("a run finds every %s of %j", (how, kinds) => {
  const { tried, survivors } = plant(how, kinds);
  expect([...tried.keys()].sort()).toEqual([...kinds].sort());
  expect(survivors.filter(({ reason }) => reason === undefined)).toEqual([]);
  const count = [...tried.values()].reduce((sum, each) => sum + each, 0);
  expect(count).toBeGreaterThan(200);
  expect(survivors.length / count).toBeLessThan(0.02);
});

test("a swap inside an all-reduce changes nothing, since integers add up in any order", () => {
  const { tried, survivors } = plant("swap", ["all-reduce"]);
  expect(survivors).toHaveLength(tried.get("all-reduce") ?? -1);
  expect(survivors.every(({ reason }) => reason === sameData)).toBe(true);
});

test("a cut that loses values without a word is seen by a run", () => {
  const mesh = testMesh({ p: 2 });
  const graph = testGraph({ x: [4, 6], y: [4] }, [
    { result: "z", annotation: "a b, a -> b", inputs: ["x", "y"] },
  ]);
  const { plan } = propagate(graph, mesh, testRequests(mesh, { z: { a: "p" } }));
  const run = runProgram(lower(graph, plan), { seed: 1, values: "integers" });
  expect(run.ok && run.value.first).toMatchObject({ tensor: "z", device: 0 });
  expect(run.diagnostics.map(({ code }) => code)).toEqual(["execute/assumed-body"]);
});

test("a program that is too large to check is refused with its size", () => {
  const mesh = testMesh({ p: 2 });
  const graph = testGraph({ x: [4096, 8192] }, [
    { result: "z", annotation: "a b -> a b", inputs: ["x"] },
  ]);
  const { plan } = propagate(graph, mesh, testRequests(mesh, {}));
  const run = runProgram(lower(graph, plan), { seed: 1, values: "floats" });
  expect(run.diagnostics.map(({ code }) => code)).toEqual(["execute/too-large"]);
});
