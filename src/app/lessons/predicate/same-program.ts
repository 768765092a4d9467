import type { Compiled } from "#compile";
import { printAnnotation } from "#core/dimops";
import type { Graph, Operator, TensorId } from "#core/ir";

/**
 * Whether two texts do the same work: equal programs with equal training. Plans and recomputation
 * are ignored.
 */
export function sameWork(a: Compiled, b: Compiled): boolean {
  return sameProgram(a.graph, b.graph) && trainingOf(a) === trainingOf(b);
}

/**
 * First difference in work from the start, in words: inputs first, then operator counts, optimizer,
 * training and wiring.
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

/** Inputs and parameters as text, by name: `Tensor((8, 4), "f32")`. */
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
 * Kinds of the forward operators that have a backward pass, and the update operators, as text.
 * Single backward operators depend on the plan, so they are not compared.
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
 * Whether two graphs compute the same: equal operators on equal shapes with equal wiring, in any
 * order. Inputs and parameters are matched by name; plans are ignored.
 */
function sameProgram(a: Graph, b: Graph): boolean {
  if (a.operators.length !== b.operators.length || a.outputs.length !== b.outputs.length) {
    return false;
  }
  const numbers = new Map<string, number>();
  const [first, second] = [signatureOf(a, numbers), signatureOf(b, numbers)];
  return first.length === second.length && first.every((each, at) => each === second[at]);
}

/**
 * Sorted ids of a graph's operators, then of its results; equal values have equal ids across
 * graphs.
 */
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

/** Operator as text: its kind, annotation, axis sizes, attributes and operands. */
function wordsOf(operator: Operator, made: ReadonlyMap<TensorId, number>): string {
  const { op, annotation, attributes, inputs } = operator;
  const operands = inputs.map(({ tensor, range }) => [made.get(tensor) ?? -1, range ?? null]);
  const axes = operator.axes.map(({ size }) => size);
  const places = new Map(operator.axes.map(({ name }, at) => [name, `#${at}`]));
  // Identifiers are replaced by their positions, since their names do not change the operator's
  // work.
  const nameless = printAnnotation(annotation).replaceAll(
    /[A-Za-z_]\w*/gu,
    (name) => places.get(name) ?? name,
  );
  return JSON.stringify([kindOf(op), nameless, axes, isSaid.has(op) ? null : attributes, operands]);
}

/** Operators that the annotation describes fully, so their attributes are ignored. */
const isSaid = new Set(["einsum", "matmul", "transpose", "permute"]);

/** Operator kind for comparisons; `matmul` counts as `einsum`. */
const kindOf = (op: string) => (op === "matmul" ? "einsum" : op);

function sorted(numbers: readonly number[]): readonly number[] {
  return [...numbers].sort((a, b) => a - b);
}
