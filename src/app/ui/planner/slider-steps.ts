/** So many values from one number to another, each the same factor above the one before. */
export function logSteps(least: number, most: number, count: number): readonly number[] {
  return Array.from({ length: count + 1 }, (_, at) =>
    at === count ? most : least * (most / least) ** (at / count),
  );
}

/** Which of the steps is nearest to a value, by their ratio. */
export function stepNear(steps: readonly number[], value: number): number {
  const far = (step: number) => Math.abs(Math.log(step / value));
  return steps.reduce(
    (best, step, at) => (far(step) < far(steps[best] ?? Number.NaN) ? at : best),
    0,
  );
}
