import { expect, test } from "vitest";
import { flatSteps, type SpmdProgram } from "#core/program";
import { randomProgram } from "../verify/random-program.testing.ts";
import { brokenRuns, faultsOf } from "./broken-runs.testing.ts";
import { testEngine } from "./dawn.testing.ts";

const engine = await testEngine();
const isSoak = process.env.SOAK !== undefined;
/**
 * Seeds of programs whose collectives the CPU tests break too; only some, as compiling takes most
 * of the time.
 */
const seeds = Array.from({ length: isSoak ? 400 : 20 }, (_, at) => at + 1);

/**
 * The faults that are tried in a program: in the first ones those that leave a collective out and a
 * third of the others, in all later programs one each, since a run takes a while here.
 */
function faultsIn(program: SpmdProgram, seed: number) {
  const all = faultsOf(program);
  if (isSoak) return all;
  return seed <= 14
    ? all.filter(({ how }, at) => how === "drop" || at % 3 === seed % 3)
    : all.filter((_, at) => at === seed % all.length);
}

test("a collective that is left out, or out of order, is found where the CPU finds it", async () => {
  const [found, tried] = [new Map<string, number>(), new Map<string, number>()];
  for (const seed of seeds) {
    const program = randomProgram(seed);
    const runs = brokenRuns(engine, program, seed);
    if (runs === undefined) continue;
    for (const { name, ...fault } of faultsIn(program, seed)) {
      const got = await runs.onGpu(fault);
      expect(got, `${name} of ${seed}`).toEqual(runs.onCpu(fault));
      tried.set(name, (tried.get(name) ?? 0) + 1);
      if (got !== undefined) found.set(name, (found.get(name) ?? 0) + 1);
    }
  }
  for (const collective of ["all-gather", "all-to-all", "all-reduce", "reduce-scatter"]) {
    expect(found.get(`drop ${collective}`), collective).toBeGreaterThan(0);
  }
  expect(found.get("swap all-gather")).toBeGreaterThan(0);
  expect([...tried.values()].reduce((sum, each) => sum + each, 0)).toBeGreaterThan(40);
});

test("what nobody sends is no number on the GPU either, where members change places", async () => {
  const program = randomProgram(66);
  const runs = brokenRuns(engine, program, 66);
  const step = flatSteps(program).findIndex(
    (each) => each.kind === "collective" && each.collective === "collective-permute",
  );
  const got = await runs?.onGpu({ step, how: "swap" });
  expect(got).toEqual({ tensor: "p3", device: 7, index: [0, 0] });
  expect(got).toEqual(runs?.onCpu({ step, how: "swap" }));
});
