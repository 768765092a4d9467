import fc from "fast-check";
import { expect, test } from "vitest";
import { type TensorId, tensorId } from "#core/ir";
import type { SpmdProgram } from "#core/program";
import { leafValues, runReference } from "#execute/reference";
import { plantFaults } from "./faults.testing.ts";
import { randomTrainingStep } from "./random-program.testing.ts";
import { runProgram } from "./run-program.ts";

const factor = process.env.SOAK === undefined ? 1 : 400;

function summaryOf({ graph, devices }: SpmdProgram): string {
  const calls = graph.operators.map(({ name, call, phase }) => `${phase} ${name} = ${call}`);
  return `${calls.join("; ")} on ${devices.length} devices`;
}

test("training steps of random programs under random plans equal the reference", () => {
  const counts = new Set<number>();
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const program = randomTrainingStep(seed);
      counts.add(program.devices.length);
      for (const values of ["integers", "floats"] as const) {
        const run = runProgram(program, { seed, values });
        if (!run.ok) throw new Error(run.diagnostics[0]?.message);
        expect(run.value.first, `${values}: ${summaryOf(program)}`).toBeUndefined();
      }
    }),
    { seed: 2, numRuns: 20 * factor },
  );
  expect([...counts].sort((a, b) => a - b)).toEqual([2, 4, 6, 8, 16]);
});

test("a run finds every collective of a training step that is left out or speaks in another order", () => {
  const seeds = Array.from({ length: 3 * factor }, (_, at) => at + 1);
  const { tried, survivors } = plantFaults(seeds, randomTrainingStep);
  expect([...tried.keys()]).toEqual(
    expect.arrayContaining(["drop all-gather", "drop all-reduce", "drop reduce-scatter"]),
  );
  expect(survivors.filter(({ reason }) => reason === undefined)).toEqual([]);
});

/** The derivative of the loss by one element of a leaf, from both sides. */
function slopeAt(
  { graph }: SpmdProgram,
  leaves: ReadonlyMap<TensorId, Float64Array>,
  [leaf, at]: readonly [TensorId, number],
  loss: TensorId,
): number {
  const step = 1e-5;
  const lossAt = (by: number) => {
    const moved = new Map(leaves);
    moved.set(
      leaf,
      (leaves.get(leaf) ?? new Float64Array(0)).map((x, i) => (i === at ? x + by : x)),
    );
    return runReference(graph, moved, "floats").tensors.get(loss)?.values[0] ?? Number.NaN;
  };
  return (lossAt(step) - lossAt(-step)) / (2 * step);
}

test("the gradient that updates a parameter is the slope of the loss, by finite differences", () => {
  let compared = 0;
  for (let seed = 1; seed <= 20 * factor; seed += 1) {
    const program = randomTrainingStep(seed);
    const { graph } = program;
    const leaves = leafValues(graph, seed, "floats");
    const loss = graph.outputs[0] ?? tensorId("");
    const { tensors } = runReference(graph, leaves, "floats");
    for (const { inputs, phase } of graph.operators) {
      const [parameter, gradient] = inputs.map(({ tensor }) => tensor);
      if (phase !== "update" || parameter === undefined || gradient === undefined) continue;
      const got = tensors.get(gradient)?.values ?? new Float64Array(0);
      const at = (seed * 7) % got.length;
      const want = slopeAt(program, leaves, [parameter, at], loss);
      expect(got[at], `${parameter}[${at}]: ${summaryOf(program)}`).toBeCloseTo(want, 4);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(40);
});
