import fc from "fast-check";
import { expect, test } from "vitest";
import type { SpmdProgram } from "#core/program";
import { plantFaults } from "./faults.testing.ts";
import { layeredTrainingStep } from "./layered-program.testing.ts";
import { runProgram } from "./run-program.ts";
import { runsAtOnce } from "./runs-at-once.ts";

const factor = process.env.SOAK === undefined ? 1 : 300;

/** A random training step in two or four micro-batches; in one if its batch cannot be cut. */
function inMicrobatches(seed: number): SpmdProgram {
  return layeredTrainingStep(seed, 1 + (seed % 3), 2 + 2 * (seed % 2));
}

function summaryOf({ graph, devices, microbatches }: SpmdProgram): string {
  const calls = graph.operators.map(({ name, call, phase }) => `${phase} ${name} = ${call}`);
  const runs = `${microbatches?.count} micro-batches on ${devices.length} devices`;
  return `${calls.join("; ")} in ${runs}`;
}

test("micro-batches of random training steps add up to the unsharded step on the whole batch", () => {
  let cut = 0;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const program = inMicrobatches(seed);
      if (program.microbatches === undefined) return;
      cut += 1;
      for (const values of ["integers", "floats"] as const) {
        const run = runProgram(program, { seed, values });
        if (!run.ok) throw new Error(run.diagnostics[0]?.message);
        expect(run.value.first, `${values}: ${summaryOf(program)}`).toBeUndefined();
      }
    }),
    { seed: 3, numRuns: 16 * factor },
  );
  expect(cut).toBeGreaterThan(6);
});

test("a run finds every collective of micro-batches that is left out or speaks in another order", () => {
  // Few layers: integers too large for a double are drawn sparser, and the zeros would hide faults.
  const programs = Array.from({ length: 24 * factor }, (_, at) =>
    layeredTrainingStep(at + 1, 1, 2 + 2 * (at % 2)),
  ).flatMap((program) =>
    program.microbatches ? [runsAtOnce(program, program.microbatches).program] : [],
  );
  const seeds = [...programs.keys()].slice(0, 6 * factor);
  const { tried, survivors } = plantFaults(seeds, (seed) => programs[seed] ?? inMicrobatches(seed));
  expect([...tried.keys()]).toEqual(
    expect.arrayContaining(["drop all-gather", "drop all-reduce", "drop reduce-scatter"]),
  );
  expect(survivors.filter(({ reason }) => reason === undefined)).toEqual([]);
});

test("what is wrong in some micro-batch is told of the devices of the program, each once", () => {
  const program = Array.from({ length: 24 }, (_, at) => layeredTrainingStep(at + 1, 1, 2)).find(
    ({ microbatches, stages }) =>
      microbatches !== undefined &&
      stages.some(({ steps }) => steps.some(({ kind }) => kind === "collective")),
  );
  if (program === undefined) throw new Error("no program in micro-batches");
  const steps = program.stages.flatMap((stage) => stage.steps);
  const step = steps.findIndex((each) => each.kind === "collective" && each.collective !== "slice");
  const sabotage = { step, how: "drop" } as const;
  const run = runProgram(program, { seed: 1, values: "integers", sabotage });
  if (!run.ok) throw new Error(run.diagnostics[0]?.message);
  expect(run.value.equal).toBe(false);
  for (const { name, devices } of run.value.tensors) {
    const ids = devices.map(({ device }) => device).toSorted((a, b) => a - b);
    expect(ids, name).toEqual(program.devices.toSorted((a, b) => a - b));
  }
});
