import type { Graph, Operator, TensorId } from "#core/ir";
import { runReference } from "#execute/reference";

/** Offset of a tensor in a list of numbers, and its shape. */
export type Place = readonly [at: number, shape: readonly number[]];

/** Recorded values of one expression: its span in the text, and its tensors. */
export type Step = readonly [from: number, to: number, tensors: readonly Place[]];

/** Recorded values of a text, in order. */
export interface Recorded {
  readonly steps: readonly Step[];
  readonly numbers: Float32Array;
  readonly text: string;
}

export function elements(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/**
 * Runs each operator of a graph in single precision on the numbers recorded for its operands, and
 * compares its results with the recorded ones: they must be within the bound of that operator
 * alone. So bounds do not grow from layer to layer. A result without a record is used as computed.
 */
export function followed(
  graph: Graph,
  leaves: ReadonlyMap<TensorId, Float64Array>,
  recorded: Recorded,
): { readonly isHeld: boolean; readonly said: string } {
  const places = placesOf(graph, recorded);
  const inside = biasesInside(graph, leaves);
  const faults: string[] = [];
  let [count, widest] = [0, 0];
  runReference(graph, leaves, "singles", {
    readAs: (tensor, made) => {
      const [at = 0, shape] = places.get(tensor) ?? [];
      if (String(shape) !== String(made.shape)) return made;
      const wanted = Float64Array.from(recorded.numbers.subarray(at, at + elements(made.shape)));
      const errors = made.errors.map((error) => error + (inside.get(tensor) ?? 0));
      const off = wanted.findIndex((value, k) => !isWithin(value, made.values[k], errors[k]));
      if (off >= 0)
        faults.push(`${tensor}: ${made.values[off]} ± ${errors[off]}, not ${wanted[off]}`);
      count += 1;
      widest = Math.max(widest, largest(errors) / (largest(wanted) || 1));
      return { ...made, values: wanted, errors: new Float64Array(wanted.length) };
    },
  });
  const all = graph.operators.flatMap(({ outputs }) => outputs).length;
  const held = `${count} of ${all} results within bounds of at most ${widest.toExponential(1)} of the largest number`;
  const isHeld = faults.length === 0 && count > (4 / 5) * all;
  return { isHeld, said: faults.slice(0, 3).join("; ") || held };
}

/**
 * Additional error, by result, of sums of products that start with their bias in PyTorch: there the
 * bias is one of the terms; here it is added after them, which rounds once more (Higham §4.2).
 */
function biasesInside(
  { operators, tensors }: Graph,
  leaves: ReadonlyMap<TensorId, Float64Array>,
): ReadonlyMap<TensorId, number> {
  const shapes = new Map(tensors.map(({ id, shape }) => [id, shape]));
  const found = operators.flatMap(({ entry, inputs, outputs }): (readonly [TensorId, number])[] => {
    const [, weight, bias] = inputs;
    const [made] = outputs;
    const values = bias && leaves.get(bias.tensor);
    const isSum = /^(?:conv|linear)/u.test(entry ?? "");
    if (!isSum || values === undefined || made === undefined || weight === undefined) return [];
    const terms = elements(shapes.get(weight.tensor)?.slice(1) ?? []);
    return [[made.tensor, (terms + 1) * 2 ** -24 * largest(values)]];
  });
  return new Map(found);
}

function largest(numbers: Float64Array): number {
  const sizes = (most: number, each: number) =>
    Number.isFinite(each) ? Math.max(most, Math.abs(each)) : most;
  return numbers.reduce(sizes, 0);
}

/** Whether a number is within a finite bound; infinities and NaN must be identical. */
function isWithin(wanted: number, value = Number.NaN, error = Number.NaN): boolean {
  if (!Number.isFinite(wanted)) return Object.is(wanted, value);
  return Number.isFinite(error) && Math.abs(wanted - value) <= error;
}

/** Recorded results of operators, matched by expression and occurrence. */
function placesOf(graph: Graph, { steps, text }: Recorded): ReadonlyMap<TensorId, Place> {
  const recorded = new Map<string, (readonly Place[])[]>();
  for (const [from, to, tensors] of steps) {
    const key = `${from} ${to}`;
    recorded.set(key, [...(recorded.get(key) ?? []), tensors]);
  }
  const found = new Map<TensorId, Place>();
  let group: TensorId[] = [];
  for (const [at, operator] of graph.operators.entries()) {
    const made = operator.outputs.map(({ tensor }) => tensor);
    group.push(...made);
    const key = keyOf(operator, text);
    const next = graph.operators[at + 1];
    if (next !== undefined && keyOf(next, text) === key) continue;
    // If several operators share one expression, each makes one of its results, or the last one
    // makes the only result.
    const tensors = recorded.get(key)?.shift() ?? [];
    const own = [group, made].find(({ length }) => length === tensors.length) ?? [];
    for (const [k, id] of own.entries()) found.set(id, tensors[k] ?? [0, []]);
    group = [];
  }
  return found;
}

/** Span of an operator's expression, without enclosing brackets. */
function keyOf({ span }: Operator, text: string): string {
  const [from = 0, to = 0] = [span?.from, span?.to];
  const isBracketed = text[from] === "(" && text[to - 1] === ")";
  return isBracketed ? `${from + 1} ${to - 1}` : `${from} ${to}`;
}
