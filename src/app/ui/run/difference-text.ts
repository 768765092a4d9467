/** A difference with three digits: `0`, `0.125`, `4.77e−7`; `no number` where it is not finite. */
export function differenceText(difference: number): string {
  if (difference === 0) return "0";
  if (!Number.isFinite(difference)) return "no number";
  if (difference >= 0.001 && difference < 100_000) return String(Number(difference.toPrecision(3)));
  return difference.toExponential(2).replace("-", "−").replace("+", "");
}

/** Larger than any relative difference of a run but one from 0. */
const againstNothing = 1e300;

/** A relative difference; where the right value is 0, `off a 0`. */
export function relativeText(relative: number, difference: number): string {
  const isOffZero = relative > againstNothing && Number.isFinite(difference);
  return isOffZero ? "off a 0" : differenceText(relative);
}
