/**
 * `coefficients · point + offset`, exact as long as the result is a safe integer, whatever the
 * terms are; never `-0`.
 */
export function affineSum(
  coefficients: readonly number[],
  point: readonly number[],
  offset: number,
): number {
  let sum = offset;
  let magnitude = Math.abs(offset);
  coefficients.forEach((factor, axis) => {
    const term = factor * (point[axis] ?? 0);
    sum += term;
    magnitude += Math.abs(term);
  });
  return magnitude <= Number.MAX_SAFE_INTEGER ? sum + 0 : longSum(coefficients, point, offset);
}

function longSum(
  coefficients: readonly number[],
  point: readonly number[],
  offset: number,
): number {
  const terms = coefficients.map((factor, axis) => BigInt(factor) * BigInt(point[axis] ?? 0));
  return Number(terms.reduce((sum, term) => sum + term, BigInt(offset)));
}
