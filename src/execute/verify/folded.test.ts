import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { estimate, memoryOf } from "#core/cost";
import { assumedHardware } from "#core/cost/machines";
import { flatSteps, fold, type SpmdProgram } from "#core/program";
import { runCpu } from "#execute/cpu";
import { leafValues } from "#execute/reference";
import { layeredProgram, layeredTrainingStep } from "./layered-program.testing.ts";
import { randomProgram, randomTrainingStep } from "./random-program.testing.ts";

const factor = process.env.SOAK === undefined ? 1 : 50;

const kinds = {
  "layered programs": (seed: number) => layeredProgram(seed, 2 + (seed % 5)),
  "layered training steps": (seed: number) => layeredTrainingStep(seed, 2 + (seed % 4)),
  "random programs": randomProgram,
  "random training steps": randomTrainingStep,
} as const;

/** Runs a check over programs and their folded forms; returns how many of them had repeats. */
function overFolded(
  programOf: (seed: number) => SpmdProgram,
  numRuns: number,
  check: (flat: SpmdProgram, folded: SpmdProgram, seed: number) => void,
): number {
  let count = 0;
  const holds = fc.property(fc.nat(100_000), (seed) => {
    const flat = programOf(seed);
    const folded = fold(flat);
    if (folded.stages.some(({ steps }) => steps.some(({ kind }) => kind === "repeat"))) count += 1;
    check(flat, folded, seed);
  });
  fc.assert(holds, { seed: 3, numRuns });
  return count;
}

function isClose(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && Math.abs(a - b) <= 1e-12 * Math.abs(b);
}

const rows = Object.entries(kinds).map(([name, programOf]) => ({
  name,
  programOf,
  // Most layered programs have repeats, but only some random ones.
  ...(name.startsWith("layered") ? { share: 0.7, toRun: 5 } : { share: 0.02, toRun: 10 }),
}));

test.each(rows)("figures of folded $name are those of the flat ones", ({ programOf, share }) => {
  const numRuns = 15 * factor;
  const folds = overFolded(programOf, numRuns, (flat, folded) => {
    expect(memoryOf(folded)).toEqual(memoryOf(flat));
    const [cost, expected] = [estimate(folded, assumedHardware), estimate(flat, assumedHardware)];
    expect(cost.operators).toEqual(expected.operators);
    expect(isClose(cost.bytes, expected.bytes)).toBe(true);
    expect(isClose(cost.seconds, expected.seconds)).toBe(true);
    expect(isClose(cost.computeSeconds, expected.computeSeconds)).toBe(true);
    expect(isClose(cost.communicationSeconds, expected.communicationSeconds)).toBe(true);
    const plain = ({ collectives }: typeof cost) =>
      collectives.map(({ seconds: _seconds, bytes: _bytes, ...rest }) => rest);
    expect(plain(cost)).toEqual(plain(expected));
    cost.collectives.forEach(({ seconds, bytes }, at) => {
      expect(isClose(bytes, expected.collectives[at]?.bytes)).toBe(true);
      expect(isClose(seconds, expected.collectives[at]?.seconds)).toBe(true);
    });
  });
  expect(folds).toBeGreaterThan(share * numRuns);
});

test.each(rows)(
  "a run of folded $name leaves on every device what the flat ones leave",
  ({ programOf, share, toRun }) => {
    const numRuns = toRun * factor;
    const folds = overFolded(programOf, numRuns, (flat, folded, seed) => {
      const inputs = leafValues(flat.graph, seed, "integers");
      const collectives = flatSteps(flat).flatMap((step, at) =>
        step.kind === "collective" && step.collective !== "slice" ? [at] : [],
      );
      const step = collectives[seed % Math.max(1, collectives.length)];
      for (const options of [
        { values: "integers" as const },
        ...(step === undefined
          ? []
          : [{ values: "integers" as const, sabotage: { step, how: "drop" as const } }]),
      ]) {
        const [got, wanted] = [folded, flat].map((each) => runCpu(each, inputs, options));
        expect([...(got?.keys() ?? [])].sort()).toEqual([...(wanted?.keys() ?? [])].sort());
        for (const [id, blocks] of wanted ?? []) {
          // `toEqual` looks up every number by a key, so it runs only on a difference.
          if (!isDeepStrictEqual(got?.get(id), blocks)) expect(got?.get(id), id).toEqual(blocks);
        }
      }
    });
    expect(folds).toBeGreaterThan(share * numRuns);
  },
);
