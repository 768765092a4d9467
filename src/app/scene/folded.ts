import { createFindRuns, type EqualRuns, flatSteps, type SpmdProgram } from "#core/program";
import { rememberedFor } from "./remembered.ts";

/** All steps of a program in order, with every run of a `repeat` expanded; cached per program. */
export const allSteps = rememberedFor((program: SpmdProgram) => flatSteps(program));

/**
 * The number of microbatches for which a step runs, by its index among all steps; 1 for a step that
 * runs once.
 */
export function microbatchesAt({ stages }: SpmdProgram): (place: number) => number {
  const ends: { readonly end: number; readonly runs: number }[] = [];
  for (const { steps, runs = 1 } of stages) {
    ends.push({ end: (ends.at(-1)?.end ?? 0) + steps.length, runs });
  }
  return (place) => ends.find(({ end }) => place < end)?.runs ?? 1;
}

/** Consecutive equal runs of steps, by indices among all steps of the program. */
export interface StepRuns {
  /** Index of the first step of the first run. */
  readonly start: number;
  /** Number of steps in each run. */
  readonly period: number;
  readonly count: number;
}

const findRuns = createFindRuns();

/** Equal consecutive runs of steps, as `fold` finds them; computed on first use per program. */
export const equalRunsOf = rememberedFor((program: SpmdProgram): readonly EqualRuns[] =>
  findRuns(program),
);

/** `equalRunsOf` as indices, in program order. */
export const stepRunsOf = rememberedFor((program: SpmdProgram): readonly StepRuns[] => {
  const equal = equalRunsOf(program);
  if (equal.length === 0) return [];
  const places = new Map(allSteps(program).map((step, place) => [step, place]));
  return equal.flatMap(({ runs }): readonly StepRuns[] => {
    const [first] = runs[0] ?? [];
    const start = first === undefined ? undefined : places.get(first);
    return start === undefined ? [] : [{ start, period: runs[0]?.length ?? 0, count: runs.length }];
  });
});
