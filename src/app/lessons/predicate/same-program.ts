import type { Compiled } from "#compile";
import { printAnnotation } from "#core/dimops";
import type { Graph, Operator, TensorId } from "#core/ir";

/**
 * Whether two texts do the same work: the same program, trained alike or not at all. Splits and
 * recomputation do not count.
 */
export function sameWork(a: Compiled, b: Compiled): boolean {
  return sameProgram(a.graph, b.graph) && trainingOf(a) === trainingOf(b);
}

/**
 * The first difference between the work and that of the start, in the order in which a reader would
 * see it.
 */
export function workDifference(now: Compiled, start: Compiled): string {
  const [given, wanted] = [givenOf(now.graph), givenOf(start.graph)];
  for (const [name, words] of wanted) {
    const own = given.get(name);
    if (own === undefined) return `it has no ${name}`;
    if (own !== words) return `${name} is a ${own}, wanted ${words}`;
  }
  const more = [...given.keys()].find((name) => !wanted.has(name));
  if (more !== undefined) return `${more} is one more`;
  const [kinds, counts] = [kindsOf(now.graph), kindsOf(start.graph)];
  for (const kind of new Set([...counts.keys(), ...kinds.keys()])) {
    const [own, other] = [kinds.get(kind) ?? 0, counts.get(kind) ?? 0];
    if (own !== other) return `${kind}: ${own}, wanted ${other}`;
  }
  const [optimizer, first] = [optimizerOf(now), optimizerOf(start)];
  if (optimizer !== undefined && first !== undefined && optimizer !== first)
    return `its optimizer is ${optimizer}, wanted ${first}`;
  if (trainingOf(now) !== trainingOf(start)) return "it trains otherwise";
  return "operators have other operands or options";
}

/** The inputs and parameters by their names: `Tensor((8, 4), "f32")`. */
function givenOf({ tensors }: Graph): ReadonlyMap<string, string> {
  const given = tensors.filter(({ producer }) => producer === undefined);
  return new Map(
    given.map(({ name, role, shape, dtype }) => [
      name,
      `${role === "parameter" ? "Parameter" : "Tensor"}((${shape.join(", ")}), "${dtype}")`,
    ]),
  );
}

function kindsOf({ operators }: Graph): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>();
  for (const { op } of operators) kinds.set(kindOf(op), (kinds.get(kindOf(op)) ?? 0) + 1);
  return kinds;
}

function optimizerOf({ program }: Compiled): string | undefined {
  return program.graph.operators.find(({ phase }) => phase === "update")?.op;
}

/**
 * The kinds of operators that have a backward pass, and of those that update. The single operators
 * with a backward pass depend on how the program is split.
 */
function trainingOf({ program }: Compiled): string {
  const { operators } = program.graph;
  const ops = new Map(operators.map(({ id, op }) => [id, op]));
  const kinds = operators.flatMap(({ phase, op, of }) => {
    if (phase === "update") return [`update ${op}`];
    const forward = of === undefined ? undefined : ops.get(of);
    return phase === "backward" && forward !== undefined ? [`backward ${kindOf(forward)}`] : [];
  });
  return [...new Set(kinds)].sort().join(", ");
}

/**
 * Whether two graphs compute the same: equal operators on equal shapes, wired alike, in any order.
 * Inputs and parameters are told apart by their names. How anything is split does not count.
 */
function sameProgram(a: Graph, b: Graph): boolean {
  if (a.operators.length !== b.operators.length || a.outputs.length !== b.outputs.length) {
    return false;
  }
  const numbers = new Map<string, number>();
  const [first, second] = [signatureOf(a, numbers), signatureOf(b, numbers)];
  return first.length === second.length && first.every((each, at) => each === second[at]);
}

/** The operators of a graph and its results, each as one number that is equal where they are. */
function signatureOf(graph: Graph, numbers: Map<string, number>): readonly number[] {
  const numberOf = (text: string) => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  const made = new Map<TensorId, number>();
  for (const { id, name, role, shape, dtype, producer } of graph.tensors) {
    if (producer === undefined) made.set(id, numberOf(`${role} ${name} ${shape} ${dtype}`));
  }
  const shapes = new Map(graph.tensors.map(({ id, shape, dtype }) => [id, `${shape} ${dtype}`]));
  const operators = graph.operators.map((operator) => {
    const own = numberOf(wordsOf(operator, made));
    for (const [at, { tensor }] of operator.outputs.entries()) {
      made.set(tensor, numberOf(`${own} ${at} ${shapes.get(tensor)}`));
    }
    return own;
  });
  const results = graph.outputs.map((tensor) => made.get(tensor) ?? -1);
  return [...sorted(operators), ...sorted(results)];
}

/** The text of an operator: its kind, its options, and the values that it reads. */
function wordsOf(operator: Operator, made: ReadonlyMap<TensorId, number>): string {
  const { op, annotation, attributes, inputs } = operator;
  const operands = inputs.map(({ tensor, range }) => [made.get(tensor) ?? -1, range ?? null]);
  const axes = operator.axes.map(({ size }) => size);
  const places = new Map(operator.axes.map(({ name }, at) => [name, `#${at}`]));
  // Names of identifiers do not change the operator's work.
  const nameless = printAnnotation(annotation).replaceAll(
    /[A-Za-z_]\w*/gu,
    (name) => places.get(name) ?? name,
  );
  return JSON.stringify([kindOf(op), nameless, axes, isSaid.has(op) ? null : attributes, operands]);
}

/** Operators whose annotation tells all that their options do, in any spelling. */
const isSaid = new Set(["einsum", "matmul", "transpose", "permute"]);

/** A product of matrices is an einsum without written letters. */
const kindOf = (op: string) => (op === "matmul" ? "einsum" : op);

function sorted(numbers: readonly number[]): readonly number[] {
  return [...numbers].sort((a, b) => a - b);
}
