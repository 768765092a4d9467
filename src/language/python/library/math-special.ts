// Functions of `math` that JavaScript lacks, accurate to about the last digit.

/** Error function: its series near 0, otherwise 1 minus the complement. */
export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  return Math.abs(x) < turn ? series(x) : Math.sign(x) * (1 - fraction(Math.abs(x)));
}

export function erfc(x: number): number {
  if (Number.isNaN(x)) return x;
  if (Math.abs(x) < turn) return 1 - series(x);
  return x > 0 ? fraction(x) : 2 - fraction(-x);
}

/** |x| at which the continued fraction replaces the series. */
const turn = 1.5;

/** 2/√π e^(-x²) Σ 2ⁿ x^(2n+1) / (1·3·…·(2n+1)). */
function series(x: number): number {
  let [term, sum] = [x, x];
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * 1e-18; odd += 2) {
    term *= (2 * x * x) / odd;
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** erfc(x) for x ≥ 1.5: e^(-x²)/√π · 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …)))). */
function fraction(x: number): number {
  if (x > 30) return 0;
  let below = x;
  for (let n = 120; n > 0; n -= 1) below = x + n / 2 / below;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * below);
}

/** Gamma function; NaN at its poles. */
export function gamma(x: number): number {
  if (x === 0) return Number.NaN;
  if (Number.isInteger(x)) return x < 0 ? Number.NaN : factorialBelow(x);
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x));
  // The power is computed in two halves, since it overflows before the product does.
  const base = x + lanczos - 0.5;
  const half = base ** ((x - 0.5) / 2);
  return Math.sqrt(2 * Math.PI) * half * Math.exp(-base) * half * sumAt(x);
}

/** Natural logarithm of |gamma(x)|. */
export function lgamma(x: number): number {
  if (!Number.isFinite(x)) return Math.abs(x);
  if (x <= 0 && Number.isInteger(x)) return Number.NaN;
  if (x === 1 || x === 2) return 0;
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - lgamma(1 - x);
  if (x < 100) return Math.log(gamma(x));
  const base = x + lanczos - 0.5;
  return Math.log(2 * Math.PI) / 2 + (x - 0.5) * Math.log(base) - base + Math.log(sumAt(x));
}

function factorialBelow(x: number): number {
  if (x > 171) return Number.POSITIVE_INFINITY;
  let product = 1n;
  for (let n = 2n; n < BigInt(x); n += 1n) product *= n;
  return Number(product);
}

/** Lanczos approximation of gamma with g = 7 and nine terms. */
const lanczos = 7;
const terms = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];

function sumAt(x: number): number {
  return terms.reduce((sum, term, at) => sum + (at === 0 ? term : term / (x - 1 + at)), 0);
}

/** Next float after x towards y. */
export function nextAfter(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([x]).buffer);
  // The bit pattern of a float, as an integer, grows with its magnitude.
  bits[0] = (bits[0] ?? 0n) + (y > x === x > 0 ? 1n : -1n);
  return new Float64Array(bits.buffer)[0] ?? 0;
}

/** Distance to the next float away from 0; for the largest float, to the one before. */
export function ulp(x: number): number {
  const magnitude = Math.abs(x);
  if (!Number.isFinite(magnitude)) return magnitude;
  return magnitude === Number.MAX_VALUE
    ? magnitude - nextAfter(magnitude, 0)
    : nextAfter(magnitude, Number.POSITIVE_INFINITY) - magnitude;
}

/** x minus the nearest multiple of y; ties go to the even multiple. */
export function remainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (!Number.isFinite(x) || y === 0) return Number.NaN;
  if (!Number.isFinite(y)) return x;
  const step = Math.abs(y);
  const rest = Math.abs(x) % step;
  const isUp =
    rest > step - rest || (rest === step - rest && isOddMultiple(Math.abs(x), step, rest));
  const signed = isUp ? rest - step : rest;
  return x < 0 || Object.is(x, -0) ? -signed : signed;
}

function isOddMultiple(x: number, step: number, rest: number): boolean {
  return (x - rest) % (2 * step) !== 0;
}
