/** A difference with three digits: `0`, `0.125`, `4.77e−7`; `no number` where something is none. */
export function differenceText(difference: number): string {
  if (difference === 0) return "0";
  if (!Number.isFinite(difference)) return "no number";
  if (difference >= 0.001 && difference < 100_000) return String(Number(difference.toPrecision(3)));
  return difference.toExponential(2).replace("-", "−").replace("+", "");
}

/** Larger than any difference of numbers that a run has, relative to anything but 0. */
const againstNothing = 1e300;

/** The difference relative to the right value; a right value of 0 has no relative difference. */
export function relativeText(relative: number, difference: number): string {
  const isOffZero = relative > againstNothing && Number.isFinite(difference);
  return isOffZero ? "off a 0" : differenceText(relative);
}
