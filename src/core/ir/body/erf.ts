/**
 * The error function, to a few units of roundoff: the series of positive terms below 2.5, above
 * it the continued fraction of its complement (Abramowitz and Stegun 7.1.6 and 7.1.14).
 */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  return size < 2.5 ? series(x) : Math.sign(x) * (1 - complement(size));
}

function series(x: number): number {
  let [sum, term] = [x, x];
  for (let n = 1; n < 60; n += 1) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

function complement(x: number): number {
  let tail = x;
  for (let n = 60; n > 0; n -= 1) tail = x + n / 2 / tail;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * tail);
}
