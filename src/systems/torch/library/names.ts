/** Functions of torch on each element of one tensor, beside those of the library. */
export const elementWiseNames: ReadonlySet<string> = namesIn([
  "round frac asin acos atan",
  "acosh atanh erfinv sgn isnan isinf isfinite bitwise_not nan_to_num",
  "positive digamma lgamma fix signbit i0 conj",
  "rrelu",
  "bernoulli dropout1d dropout2d dropout3d alpha_dropout",
  "feature_alpha_dropout angle logit sinc",
  "arccos arccosh arcsin arcsinh arctan arctanh clamp_max clamp_min conj_physical dequantize",
  "isneginf isposinf isreal mvlgamma multigammaln poisson resolve_conj resolve_neg",
  "entr erfcx expit gammaln i0e i1 i1e log_ndtr ndtr ndtri psi detach_copy alias_copy",
]);

/** Functions of torch on the elements of two tensors that broadcast, beside those of the library. */
export const broadcastingNames: ReadonlySet<string> = namesIn([
  "floor_divide atan2 copysign heaviside nextafter",
  "arctan2 gcd lcm igamma igammac gammainc gammaincc ldexp logaddexp2 float_power xlog1py zeta",
  "xlogy isclose fmax fmin bitwise_left_shift bitwise_right_shift complex polar",
]);

function namesIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
