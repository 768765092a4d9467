import type { FlatStep, SpmdProgram } from "./program.ts";
import { runOf } from "./unroll.ts";

/** Entry of a list in which equal blocks occur once. */
export interface ListedStep {
  /** The step; inside a repeated block, with the names of the first run. */
  readonly step: FlatStep;
  /** How often it runs; 1 outside repeated blocks and micro-batches. */
  readonly count: number;
  /** Index in its block of `blockLength` steps; a step outside of blocks is alone. */
  readonly place: number;
  readonly blockLength: number;
  /** The redistributions of a collective, one per run in order; empty for an operator. */
  readonly redistributions: readonly number[];
}

/** The steps of a folded program in order, the body of each `repeat` once. */
export function listSteps(folded: SpmdProgram): readonly ListedStep[] {
  return folded.stages.flatMap(({ steps, runs = 1 }) =>
    steps.flatMap((step): readonly ListedStep[] => {
      if (step.kind !== "repeat") return [listed(step, runs, 0, 1)];
      return runOf(step, 0).map((each, place) => {
        const names = step.names[place];
        const reshards = names?.kind === "collective" ? names.reshards : [];
        const redistributions = step.reverse ? reshards.toReversed() : reshards;
        return { ...listed(each, runs * step.count, place, step.body.length), redistributions };
      });
    }),
  );
}

function listed(step: FlatStep, count: number, place: number, blockLength: number): ListedStep {
  const redistributions = step.kind === "collective" ? [step.reshard] : [];
  return { step, count, place, blockLength, redistributions };
}
