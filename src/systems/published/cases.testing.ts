import { compile } from "#compile";
import { product } from "#core/arithmetic";
import { type Checked, hasErrors } from "#core/diagnostics";
import type { Tensor } from "#core/ir";
import { runReference } from "#execute/reference";
import type { PublishedProgram } from "./format.ts";

/** Numbers as in JSON, with words for NaN and infinities. */
type Numbers = readonly (number | string)[];

/**
 * A small model with the results of the format's own system, as `engines/record_onnx_cases.py`,
 * `record_jax_cases.py` and `record_pt2_cases.py` record them.
 */
export interface PublishedCase {
  readonly name: string;
  /** The file: a text, or bytes in base 64. */
  readonly model: string;
  /** Per input: number `k` of input `j` is `low + step * ((37 k + 11 j) mod count)`. */
  readonly inputs: readonly (readonly [low: number, step: number, count: number])[];
  /** Numbers stored in the file itself, in the order in which the program names them. */
  readonly weights?: Readonly<Record<string, Numbers>>;
  readonly results: readonly (readonly [dtype: string, shape: readonly number[], Numbers])[];
}

/**
 * Verdict on reading a file: `same` results as its own system, `said` when the answer marks
 * something as unknown, `refused`, `fault` when the program is invalid, or the silent difference in
 * words.
 */
export function verdictOf(
  recorded: PublishedCase,
  read: (model: string) => Checked<PublishedProgram>,
): string {
  const made = read(recorded.model);
  if (!made.ok || made.value.program === undefined) return "refused";
  if (made.value.notes.length > 0) return "said";
  const program = made.value.program;
  const names = resultNames(program);
  const copies = names.map((name, at) => `result_of_${at} = ${name}.clone()\n`);
  const { graph, diagnostics } = compile(`${program}${copies.join("")}`);
  if (hasErrors(diagnostics)) return `fault: ${diagnostics.map(({ message }) => message)[0]}`;
  const given = givenNumbers(recorded, program, graph.tensors);
  const run = runReference(graph, given.numbers, "floats");
  // Values that a note excludes from computation do not differ silently.
  const isSaid = diagnostics.some(({ message }) => message.includes("not computed with"));
  const isCounted = given.isWhole && run.assumed.length === 0 && !isSaid;
  if (names.length !== recorded.results.length) return `${names.length} results`;
  const differences = recorded.results.flatMap(([dtype, shape, numbers], at) => {
    const tensor = graph.tensors.find((each) => each.name === `result_of_${at}`);
    if (tensor === undefined) return ["no result"];
    if (tensor.isUnknown) return [];
    if (tensor.shape.join() !== shape.join()) return [`shape ${tensor.shape} for ${shape}`];
    if (tensor.dtype !== dtype) return [`${tensor.dtype} for ${dtype}`];
    const own = run.tensors.get(tensor.id)?.values;
    return isCounted && own !== undefined ? differenceOf(own, numbers, dtype) : [];
  });
  if (differences.length > 0) return differences.join("; ");
  return isCounted ? "same" : "assumed";
}

/** The expressions after `# Results:`, split at commas outside brackets. */
function resultNames(program: string): readonly string[] {
  const text = /^# Results: (.*)$/mu.exec(program)?.[1] ?? "";
  let depth = 0;
  const parts = [""];
  for (const each of text) {
    depth += "([".includes(each) ? 1 : ")]".includes(each) ? -1 : 0;
    if (each === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${each}`);
  }
  return parts.map((each) => each.trim());
}

function givenNumbers(
  { inputs, weights = {} }: PublishedCase,
  program: string,
  tensors: readonly Tensor[],
) {
  let next = 0;
  let isWhole = true;
  const leaves = tensors.filter(({ producer }) => producer === undefined);
  const numbers = new Map(
    leaves.map((leaf) => {
      const count = product(leaf.shape);
      const own = weights[leaf.name]?.map(Number) ?? constantNumbers(program, leaf, count);
      if (own !== undefined) return [leaf.id, Float64Array.from(own)];
      const text = leaf.span === undefined ? "" : program.slice(leaf.span.from).split("\n", 1)[0];
      const rule = text?.includes("a constant of the file") ? undefined : inputs[next];
      isWhole &&= rule !== undefined;
      const [low, step, of] = rule ?? [0, 0, 1];
      const at = next;
      if (rule !== undefined) next += 1;
      const drawn = Array.from({ length: count }, (_, k) => low + step * ((37 * k + 11 * at) % of));
      return [leaf.id, Float64Array.from(drawn)];
    }),
  );
  return { numbers, isWhole: isWhole && next === inputs.length };
}

const words: Readonly<Record<string, number>> = {
  ...{ True: 1, False: 0, 'float("inf")': Infinity, 'float("-inf")': -Infinity },
  ...{ 'float("nan")': Number.NaN, inf: Infinity, "-inf": -Infinity, nan: Number.NaN },
};

/** Numbers of a tensor that a line of the text makes; `undefined` for an argument. */
function constantNumbers(
  program: string,
  { span }: Tensor,
  count: number,
): readonly number[] | undefined {
  const text = span === undefined ? "" : program.slice(span.from, span.to + 4000);
  const list = /^torch\.tensor\((\[[^\n]*?\])(?:, dtype|\))/u.exec(text)?.[1];
  if (list !== undefined) {
    const parts = [...list.matchAll(/float\("[^"]*"\)|[^[\],\s]+/gu)];
    const numbers = parts.map(([each]) => words[each] ?? Number(each));
    return numbers.some(Number.isNaN) ? undefined : numbers;
  }
  const range = /^torch\.arange\(([^\n]*?)\)/u.exec(text)?.[1];
  if (range !== undefined) {
    const parts = range.split(",").filter((each) => !each.includes("="));
    const [from = 0, , step = 1] = (parts.length === 1 ? ["0", ...parts] : parts).map(Number);
    return Array.from({ length: count }, (_, at) => from + at * step);
  }
  if (/^torch\.(?:zeros|ones)/u.test(text))
    return Array.from({ length: count }, () => (text.startsWith("torch.ones") ? 1 : 0));
  const full =
    /^torch\.full(?:_like)?\((?:\([\d, ]*\)|\[[\d, ]*\]|\w+), ([^,)]+(?:\("[^"]*"\))?)/u.exec(
      text,
    )?.[1] ?? /^torch\.tensor\(([^,)]+(?:\("[^"]*"\))?)/u.exec(text)?.[1];
  const number = full === undefined ? undefined : (words[full] ?? Number(full));
  return number === undefined ? undefined : Array.from({ length: count }, () => number);
}

/** Relative tolerance (to the larger number) by storage type. */
const tolerances: Readonly<Record<string, number>> = {
  f16: 4e-3,
  bf16: 4e-2,
  f32: 2e-5,
  f64: 2e-5,
};

function differenceOf(own: Float64Array, numbers: Numbers, dtype: string): readonly string[] {
  if (own.length !== numbers.length) return [`${own.length} numbers for ${numbers.length}`];
  const bound = tolerances[dtype] ?? 0;
  for (const [at, value] of own.entries()) {
    const text = numbers[at] ?? "nan";
    const other = typeof text === "string" ? (words[text] ?? Number.NaN) : text;
    if (Object.is(value, other) || value === other) continue;
    if (Math.abs(value - other) <= bound * Math.max(1, Math.abs(other))) continue;
    return [`number ${at} is ${value} for ${other}`];
  }
  return [];
}
