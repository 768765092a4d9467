/** Numbers between two ends in equal ratios. */
export function logSteps(least: number, most: number, count: number): readonly number[] {
  return Array.from({ length: count + 1 }, (_, at) =>
    at === count ? most : least * (most / least) ** (at / count),
  );
}

/** The index of the step nearest to a value, by ratio. */
export function stepNear(steps: readonly number[], value: number): number {
  const far = (step: number) => Math.abs(Math.log(step / value));
  return steps.reduce(
    (best, step, at) => (far(step) < far(steps[best] ?? Number.NaN) ? at : best),
    0,
  );
}
