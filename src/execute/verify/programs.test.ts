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
  readonly name: string;
  readonly seed: number;
  readonly reason: "same data" | undefined;
}

/** Puts faults into every collective of random programs, one at a time. */
function plantFaults() {
  const survivors: Survivor[] = [];
  const tried = new Map<string, number>();
  for (let seed = 1; seed <= 150 * factor; seed += 1) {
    const program = randomProgram(seed);
    for (const [step, collective] of collectivesOf(program)) {
      for (const how of ["drop", "swap"] as const) {
        const name = `${how} ${collective.collective}`;
        tried.set(name, (tried.get(name) ?? 0) + 1);
        const sabotage = { step, how };
        const run = runProgram(program, { seed, values: "integers", sabotage });
        if (run.ok && !run.value.equal) continue;
        const isSame = isSameData(program, collective, sabotage, seed);
        survivors.push({ name, seed, reason: isSame ? "same data" : undefined });
      }
    }
  }
  return { tried, survivors };
}

const collectives = ["all-gather", "reduce-scatter", "all-to-all", "collective-permute"];

test("a run finds every collective that is left out or speaks in another order", () => {
  const { tried, survivors } = plantFaults();
  const faults = [...collectives, "all-reduce"].flatMap((name) => [`drop ${name}`, `swap ${name}`]);
  expect([...tried.keys()]).toEqual(expect.arrayContaining(faults));
  // Every survivor left the same data on every device: nothing was to be found.
  expect(survivors.filter(({ reason }) => reason === undefined)).toEqual([]);
  // Integers add up in any order; elsewhere equal blocks are chance.
  const byChance = survivors.filter(({ name }) => name !== "swap all-reduce");
  expect(survivors.length - byChance.length).toBe(tried.get("swap all-reduce"));
  const count = [...tried.values()].reduce((sum, each) => sum + each, 0);
  expect(count).toBeGreaterThan(300);
  expect(byChance.length / count).toBeLessThan(0.02);
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
