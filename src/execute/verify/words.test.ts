import fc from "fast-check";
import { expect, test } from "vitest";
import type { SpmdProgram } from "#core/program";
import { runCpu } from "#execute/cpu";
import type { HeldValues, InjectedFault } from "#execute/engine";
import { drawLeaves, runReference } from "#execute/reference";
import { comparedRun } from "./compare-run.ts";
import { randomProgram, randomTrainingStep } from "./random-program.testing.ts";

const factor = process.env.SOAK === undefined ? 1 : 100;

/**
 * Odd, so that no bit of a number is lost in a product; products of two such numbers go far beyond
 * 2^53.
 */
const large = 0x2f0a_3d7;

/** The numbers of a program, its drawn integers made large. */
function leavesOf({ graph }: SpmdProgram, seed: number) {
  const leaves = [...drawLeaves(graph, seed, "integers")];
  return new Map(
    leaves.map(([id, { draw, values }]) => [
      id,
      draw?.rule.kind === "integer" ? values.map((each) => each * large) : values,
    ]),
  );
}

/** A program on words: its run, with or without a fault, against the unsharded run. */
function onWords(program: SpmdProgram, seed: number) {
  const leaves = leavesOf(program, seed);
  const reference = runReference(program.graph, leaves, "words");
  return (sabotage?: InjectedFault) => {
    const held = runCpu(program, leaves, { values: "words", ...(sabotage && { sabotage }) });
    return { held, reference, ...comparedRun(program, { held }, reference, true) };
  };
}

function numbersOf(held: HeldValues, id: Parameters<HeldValues["get"]>[0]): string {
  return [...(held.get(id) ?? [])]
    .map(([device, blocks]) => `${device}: ${blocks.map(({ values }) => values.join()).join(";")}`)
    .join("\n");
}

test.each([
  { name: "programs", programOf: randomProgram, runs: 60 * factor },
  { name: "training steps", programOf: randomTrainingStep, runs: 12 * factor },
])(
  "random $name on words are those of the reference, and every fault that changes something is found",
  ({ programOf, runs }) => {
    let [wrapped, found] = [0, 0];
    const property = fc.property(fc.nat(), (seed) => {
      const program = programOf(seed);
      const run = onWords(program, seed);
      const right = run();
      expect(right.first, `seed ${seed}`).toBeUndefined();
      for (const { values } of [...right.held.values()].flatMap((blocks) =>
        [...blocks.values()].flat(),
      ))
        for (const each of values) if (each !== (each | 0)) expect(each).toBe(each | 0);
      if (right.reference.peak > 2 ** 31) wrapped += 1;
      const steps = program.stages.flatMap((stage) => stage.steps);
      for (const [step, each] of steps.entries()) {
        if (each.kind !== "collective" || each.collective === "slice") continue;
        const broken = run({ step, how: "drop" });
        if (numbersOf(broken.held, each.output) === numbersOf(right.held, each.output)) continue;
        expect(broken.equal, `seed ${seed}, step ${step}`).toBe(false);
        found += 1;
      }
    });
    fc.assert(property, { seed: 5, numRuns: runs });
    expect(wrapped).toBeGreaterThan(runs / 2);
    expect(found).toBeGreaterThan(runs / 2);
  },
);
