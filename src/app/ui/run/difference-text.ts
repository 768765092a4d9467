/** A difference with three digits: `0`, `0.125`, `4.77e−7`; `none` where there is no number. */
export function differenceText(difference: number): string {
  if (difference === 0) return "0";
  if (!Number.isFinite(difference)) return "no number";
  if (difference >= 0.001 && difference < 100_000) return String(Number(difference.toPrecision(3)));
  return difference.toExponential(2).replace("-", "−").replace("+", "");
}
