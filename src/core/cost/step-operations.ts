import { type FlatStep, flatSteps, type SpmdProgram, type ValueId } from "#core/program";
import { operationsOf } from "./kernel.ts";
import { kernelsOf } from "./kernels-of.ts";
import { localOperator, measureOf } from "./local-operator.ts";
import { valueBytes } from "./operator-seconds.ts";

/**
 * Operations of the busiest device in one run of each step of `flatSteps(program)`; over all runs
 * they add up to the `flops` of its cost. `NaN` where a shape is not known.
 */
export function operationsAtSteps(
  program: SpmdProgram,
  sizes: ReadonlyMap<ValueId, number> = valueBytes(program),
): readonly number[] {
  const measure = measureOf(program, sizes);
  const operations = (step: FlatStep): number => {
    const local = step.kind === "local" ? localOperator(step, measure) : undefined;
    if (local === undefined) return 0;
    return kernelsOf(local).reduce((sum, kernel) => sum + operationsOf(kernel), 0);
  };
  return flatSteps(program).map(operations);
}
