import fc from "fast-check";
import { expect, test } from "vitest";
import type { SpmdProgram } from "#core/program";
import { cpuEngine } from "#execute/cpu";
import { runProgramOn } from "#execute/verify";
import { randomProgram, randomTrainingStep } from "../verify/random-program.testing.ts";
import { brokenRuns, faultsOf, type NamedFault } from "./broken-runs.testing.ts";
import { testEngine } from "./dawn.testing.ts";

const engine = await testEngine();
/** The same adapter with the kernels that a GPU gets. */
const asGpu = await testEngine({ limits: { isCpu: false, hasQuads: false } });
const isSoak = process.env.SOAK !== undefined;

function summaryOf(program: SpmdProgram): string {
  const calls = program.graph.operators.map(({ name, call }) => `${name} = ${call}`);
  return `${calls.join("; ")} on ${program.devices.length} devices`;
}

/** Compares on integers, and some programs on floats too, which have other kernels. */
async function hold(program: SpmdProgram, seed: number): Promise<void> {
  const kinds =
    isSoak || seed % 4 === 0 ? (["integers", "floats"] as const) : ["integers" as const];
  for (const values of kinds) {
    for (const each of [engine, asGpu]) {
      const run = await runProgramOn(each, program, { seed, values });
      if (!run.ok) throw new Error(`${run.diagnostics[0]?.message}: ${summaryOf(program)}`);
      expect(run.value.first, `${values}: ${summaryOf(program)}`).toBeUndefined();
      if (values === "integers") expect(run.value.maxAbsDiff).toBe(0);
    }
  }
}

/**
 * Faults injected into a program: a single one, which differs from program to program, since a run
 * takes a while.
 */
function someFaults(program: SpmdProgram, seed: number): readonly NamedFault[] {
  const all = faultsOf(program);
  return isSoak ? all : all.filter((_, at) => at === seed % all.length);
}

/**
 * Injects faults into collectives and expects the GPU and the CPU to find the same ones; returns
 * the number found.
 */
async function foundIn(program: SpmdProgram, seed: number): Promise<number> {
  const runs = brokenRuns(engine, program, seed);
  let found = 0;
  for (const { name, ...fault } of someFaults(program, seed)) {
    const got = await runs?.onGpu(fault);
    expect(got, `${name}: ${summaryOf(program)}`).toEqual(runs?.onCpu(fault));
    if (got !== undefined) found += 1;
  }
  return found;
}

test("random programs equal the reference: integers bit for bit, floats within the bound; without a collective they do not", async () => {
  let [found, tried] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const program = randomProgram(seed);
      await hold(program, seed);
      found += await foundIn(program, seed);
      tried += someFaults(program, seed).length;
    }),
    { seed: 1, numRuns: isSoak ? 2000 : 25, endOnFailure: true },
  );
  // The other faults leave the same numbers on every device, mostly a sum in another order.
  expect(tried).toBeGreaterThan(18);
  expect(found / tried).toBeGreaterThan(0.6);
});

test("so do random training steps", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => hold(randomTrainingStep(seed), seed)),
    { seed: 1, numRuns: isSoak ? 400 : 3, endOnFailure: true },
  );
});

test("both engines say the same behind one face", async () => {
  const program = randomProgram(7);
  for (const each of [cpuEngine(), engine]) {
    const run = await runProgramOn(each, program, { seed: 7, values: "integers" });
    expect(run.ok && run.value.equal, each.name).toBe(true);
  }
});
