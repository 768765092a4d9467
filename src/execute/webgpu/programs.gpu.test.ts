import fc from "fast-check";
import { expect, test } from "vitest";
import type { SpmdProgram } from "#core/program";
import { cpuEngine } from "#execute/cpu";
import { runProgramOn } from "#execute/verify";
import { randomProgram, randomTrainingStep } from "../verify/random-program.testing.ts";
import { testEngine } from "./dawn.testing.ts";

const engine = await testEngine();
const isSoak = process.env.SOAK !== undefined;

function summaryOf(program: SpmdProgram): string {
  const calls = program.graph.operators.map(({ name, call }) => `${name} = ${call}`);
  return `${calls.join("; ")} on ${program.devices.length} devices`;
}

/** On integers; of every few programs on floats too, whose kernels are others. */
async function hold(program: SpmdProgram, seed: number): Promise<void> {
  const kinds =
    isSoak || seed % 4 === 0 ? (["integers", "floats"] as const) : ["integers" as const];
  for (const values of kinds) {
    const run = await runProgramOn(engine, program, { seed, values });
    if (!run.ok) throw new Error(`${run.diagnostics[0]?.message}: ${summaryOf(program)}`);
    expect(run.value.first, `${values}: ${summaryOf(program)}`).toBeUndefined();
    if (values === "integers") expect(run.value.maxAbsDiff).toBe(0);
  }
}

test("random programs equal the reference: integers bit for bit, floats within the bound", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => hold(randomProgram(seed), seed)),
    { seed: 1, numRuns: isSoak ? 2000 : 200, endOnFailure: true },
  );
});

test("so do random training steps", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => hold(randomTrainingStep(seed), seed)),
    { seed: 1, numRuns: isSoak ? 400 : 5, endOnFailure: true },
  );
});

test("both engines say the same behind one face", async () => {
  const program = randomProgram(7);
  for (const each of [cpuEngine(), engine]) {
    const run = await runProgramOn(each, program, { seed: 7, values: "integers" });
    expect(run.ok && run.value.equal, each.name).toBe(true);
  }
});
