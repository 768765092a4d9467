import { required } from "#core/records";

/** WGSL function that kernels call, with the helpers that it needs itself. */
interface Helper {
  readonly needs?: readonly string[];
  readonly code: string;
}

const f = (name: string, args: string, type: string, body: string): string =>
  `fn ${name}(${args
    .split(" ")
    .map((arg) => `${arg}: ${type}`)
    .join(", ")}) -> ${type} { ${body} }`;

/** Function on floats that hold integers, computed by the same function on indices. */
const exact = (name: string, args: string, body: string, needs: readonly string[] = []) =>
  [name, { needs, code: f(name, args, "f32", `return ${body};`) }] as const;

const word = (name: string, args: string, body: string, needs: readonly string[] = []) =>
  [name, { needs, code: f(name, args, "i32", `return ${body};`) }] as const;

const float = (name: string, args: string, body: string, needs: readonly string[] = []) =>
  [name, { needs, code: f(name, args, "f32", body) }] as const;

/** sin and cos near 0 (Cephes' single precision polynomials, S. Moshier). */
const polynomials = `fn sine_near(r: f32) -> f32 {
  let z = r * r;
  return r + r * z * ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f);
}
fn cosine_near(r: f32) -> f32 {
  let z = r * r;
  return 1f - 0.5f * z + z * z * ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f);
}
fn turned(a: f32, quarter: i32) -> f32 {
  let k = round(a * 0.6366197723675814f);
  let r = ((a - k * 1.5703125f) - k * 4.837512969970703e-4f) - k * 7.549790126404332e-8f;
  let side = (i32(k) + quarter) & 3;
  let near = select(sine_near(r), cosine_near(r), (side & 1) == 1);
  return select(near, -near, side >= 2);
}`;

/** The bijective mix of 32 bits that bodies draw from (the finaliser of MurmurHash3, A. Appleby). */
const mix = `fn mix(value: u32) -> u32 {
  var bits = value ^ (value >> 16u);
  bits = bits * 0x85ebca6bu;
  bits = bits ^ (bits >> 13u);
  bits = bits * 0xc2b2ae35u;
  return bits ^ (bits >> 16u);
}
fn draw(seed: i32, counter: i32) -> u32 {
  return mix((mix(bitcast<u32>(seed)) ^ bitcast<u32>(counter)) * 0x9e3779b1u);
}`;

/** The first 24 bits that mulberry32 (T. Ettinger) draws `index` steps after a seed. */
const bitsAt = `fn bits_at(seed: i32, index: i32) -> u32 {
  let state = bitcast<u32>(seed) + bitcast<u32>(index + 1i) * 0x6d2b79f5u;
  var bits = (state ^ (state >> 15u)) * (1u | state);
  bits = (bits + (bits ^ (bits >> 7u)) * (61u | bits)) ^ bits;
  return (bits ^ (bits >> 14u)) >> 8u;
}`;

/**
 * Index of the interval, of `parts` (fewer than 2^20) equal ones, that contains a 24-bit fraction.
 */
const shareOf = `fn share_of(bits: u32, parts: u32) -> u32 {
  return ((bits >> 12u) * parts + (((bits & 4095u) * parts) >> 12u)) >> 12u;
}`;

const helpers = new Map<string, Helper>([
  ["zero", { code: "var<private> zero: u32 = 0u;" }],
  [
    "floor_div",
    {
      code: "fn floor_div(a: i32, b: i32) -> i32 { let q = a / b; return select(q, q - 1, q * b > a); }",
    },
  ],
  ["mix", { code: mix }],
  [
    "random_bit",
    {
      needs: ["mix"],
      code: "fn random_bit(seed: i32, counter: i32) -> i32 { return i32(draw(seed, counter) >> 31u); }",
    },
  ],
  [
    "random_unit",
    {
      needs: ["mix"],
      code: "fn random_unit(seed: i32, counter: i32) -> f32 { return f32(draw(seed, counter) >> 8u) * 5.9604644775390625e-8f; }",
    },
  ],
  ["bits_at", { code: bitsAt }],
  ["share_of", { code: shareOf }],
  ["polynomials", { code: polynomials }],
  float("float_div", "a b", "return a / b;"),
  float("float_exp", "a", "return exp(a);"),
  float("float_log", "a", "return log(a);"),
  float("float_sqrt", "a", "return sqrt(a);"),
  float("float_rsqrt", "a", "return inverseSqrt(a);"),
  float("float_tanh", "a", "let t = exp(-2f * abs(a)); return sign(a) * (1f - t) / (1f + t);"),
  float("float_sigmoid", "a", "return 1f / (1f + exp(-a));"),
  // Abramowitz and Stegun 7.1.26, good to 1.5e-7.
  float(
    "float_erf",
    "a",
    "let t = 1f / (1f + 0.3275911f * abs(a)); let p = ((((1.061405429f * t - 1.453152027f) * t + 1.421413741f) * t - 0.284496736f) * t + 0.254829592f) * t; return sign(a) * (1f - p * exp(-a * a));",
  ),
  float("float_sin", "a", "return turned(a, 0);", ["polynomials"]),
  float("float_cos", "a", "return turned(a, 1);", ["polynomials"]),
  float("float_pow", "a b", "return pow(a, b);"),
  float("float_floor", "a", "return floor(a);"),
  float("float_quotient", "a b", "return floor(a / b);"),
  [
    "exact_residue",
    {
      code: "fn exact_residue(a: f32, m: i32) -> f32 { let r = ((i32(a) % m) + m) % m; return select(0f, f32(r), abs(a) < 2147483000f); }",
    },
  ],
  exact("exact_div", "a b", "a * (1f - 2f * exact_residue(b, 2i))", ["exact_residue"]),
  exact("exact_exp", "a", "max(a, -3f) + 3f"),
  exact("exact_log", "a", "exact_residue(a, 5i)", ["exact_residue"]),
  exact("exact_sqrt", "a", "exact_residue(a, 3i) + 1f", ["exact_residue"]),
  exact("exact_rsqrt", "a", "exact_residue(a, 3i) + 1f", ["exact_residue"]),
  exact("exact_tanh", "a", "exact_residue(a, 7i) - 3f", ["exact_residue"]),
  exact("exact_sigmoid", "a", "exact_residue(a, 5i) - 2f", ["exact_residue"]),
  exact("exact_erf", "a", "exact_residue(a, 7i) - 3f", ["exact_residue"]),
  exact("exact_sin", "a", "exact_residue(a, 3i) - 1f", ["exact_residue"]),
  exact("exact_cos", "a", "exact_residue(a, 3i) - 1f", ["exact_residue"]),
  exact("exact_pow", "a b", "a"),
  exact("exact_floor", "a", "a"),
  exact("exact_quotient", "a b", "f32(floor_div(i32(a), i32(b)))", ["floor_div"]),
  [
    "word_residue",
    { code: "fn word_residue(a: i32, m: i32) -> i32 { return ((a % m) + m) % m; }" },
  ],
  word("word_div", "a b", "a * (1i - 2i * word_residue(b, 2i))", ["word_residue"]),
  word("word_exp", "a", "max(a, -3i) + 3i"),
  word("word_log", "a", "word_residue(a, 5i)", ["word_residue"]),
  word("word_sqrt", "a", "word_residue(a, 3i) + 1i", ["word_residue"]),
  word("word_rsqrt", "a", "word_residue(a, 3i) + 1i", ["word_residue"]),
  word("word_tanh", "a", "word_residue(a, 7i) - 3i", ["word_residue"]),
  word("word_sigmoid", "a", "word_residue(a, 5i) - 2i", ["word_residue"]),
  word("word_erf", "a", "word_residue(a, 7i) - 3i", ["word_residue"]),
  word("word_sin", "a", "word_residue(a, 3i) - 1i", ["word_residue"]),
  word("word_cos", "a", "word_residue(a, 3i) - 1i", ["word_residue"]),
  word("word_pow", "a b", "a"),
  word("word_floor", "a", "a"),
  word("word_quotient", "a b", "floor_div(a, b)", ["floor_div"]),
]);

/** The text of helpers, each after the helpers that it needs. */
export function helperCode(names: Iterable<string>): string {
  const written = new Set<string>();
  const lines: string[] = [];
  const write = (name: string): void => {
    if (written.has(name)) return;
    written.add(name);
    const helper = required(helpers, name, "helper");
    for (const need of helper.needs ?? []) write(need);
    lines.push(helper.code);
  };
  for (const name of names) write(name);
  return lines.join("\n");
}
