import fc from "fast-check";
import { expect, test } from "vitest";
import { flatSteps, type SpmdProgram } from "#core/program";
import { layeredTrainingStep } from "../../execute/verify/layered-program.testing.ts";
import { randomProgram, randomTrainingStep } from "../../execute/verify/random-program.testing.ts";
import { estimate, memoryOf } from "./index.ts";
import { measureOf } from "./local-operator.ts";
import { assumedHardware } from "./machines/index.ts";
import { operatorWork, valueBytes } from "./operator-seconds.ts";

const kinds: Readonly<Record<string, (seed: number) => SpmdProgram>> = {
  "random programs": randomProgram,
  "random training steps": randomTrainingStep,
  "layered training steps": (seed) => layeredTrainingStep(seed, 2 + (seed % 5)),
  "micro-batches": (seed) => layeredTrainingStep(seed, 3, 2),
};

test.each(Object.keys(kinds))("%s: a step works the same whatever was asked before", (kind) => {
  const check = (seed: number) => {
    const program = kinds[kind]?.(seed);
    if (program === undefined) throw new Error(kind);
    const sizes = valueBytes(program);
    const shared = measureOf(program, sizes);
    for (const step of flatSteps(program).toReversed()) {
      if (step.kind !== "local") continue;
      const alone = operatorWork(step, measureOf(program, sizes), assumedHardware);
      expect(operatorWork(step, shared, assumedHardware)).toEqual(alone);
    }
  };
  fc.assert(fc.property(fc.nat(100_000), check), { seed: 7, numRuns: 6 });
});

test.each(Object.keys(kinds))("%s: what is remembered of a program changes no figure", (kind) => {
  const check = (seed: number) => {
    const program = kinds[kind]?.(seed);
    if (program === undefined) throw new Error(kind);
    const figures = (of: SpmdProgram) => [estimate(of, assumedHardware), memoryOf(of)];
    const fresh = figures(structuredClone(program));
    expect(figures(program)).toEqual(fresh);
    expect(figures(program)).toEqual(fresh);
  };
  fc.assert(fc.property(fc.nat(100_000), check), { seed: 11, numRuns: 6 });
});
