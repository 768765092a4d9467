import { product } from "#core/arithmetic";
import {
  type BoundCall,
  callOf,
  type Domain,
  entryOf,
  type Graph,
  type Operator,
  type PointKernel,
  type Tensor,
  type TensorId,
} from "#core/ir";
import { bindPoint, type TracedBody } from "#core/ir/body";
import type { ValueKind } from "./arithmetic.ts";
import { type DrawRule, drawnAt, type LeafDraw } from "./leaf-draw.ts";
import type { WholeBodies } from "./run-reference.ts";

/**
 * The numbers of an input or parameter, row-major, and the rule of their draw (absent for given
 * ones).
 */
export interface Leaf {
  readonly draw?: LeafDraw;
  readonly values: Float64Array;
}

/**
 * Values from a seed for every input and parameter of a graph, and for data that enters during the
 * run. They depend on tensor, index and seed only, not on the plan.
 *
 * Integers are in −`range` … `range` (a share of 1 − `density` is 0), floats in (−1, 1). Tensors
 * used as indices get indices, tensors under a logarithm or root positive numbers, probabilities
 * values between 0 and 1 (`domains` of the library). The gradient of the loss is 1. @internal
 */
export function leafValues(
  graph: Graph,
  seed: number,
  values: ValueKind,
  drawn?: IntegerDraw,
  bodies?: WholeBodies,
): ReadonlyMap<TensorId, Float64Array> {
  const leaves = drawLeaves(graph, seed, values, drawn, bodies);
  return new Map([...leaves].map(([id, leaf]) => [id, leaf.values]));
}

/** The leaves of a graph from a seed, with their draws; see `leafValues`. */
export function drawLeaves(
  graph: Graph,
  seed: number,
  values: ValueKind,
  drawn: IntegerDraw = { range: 3, density: 1 },
  bodies: WholeBodies = () => undefined,
): ReadonlyMap<TensorId, Leaf> {
  const entering = new Set(
    graph.operators.flatMap(({ passage, outputs }) =>
      passage === "in" ? outputs.map(({ tensor }) => tensor) : [],
    ),
  );
  const leaves = graph.tensors.filter(
    ({ id, producer }) => producer === undefined || entering.has(id),
  );
  const readers = firstReaders(graph);
  return new Map(
    leaves.map((tensor, at) => {
      const domain = tensor.role === "gradient" ? undefined : domainOf(graph, tensor.id, bodies);
      const rule: DrawRule =
        tensor.role === "gradient"
          ? { kind: "ones" }
          : ruleOf(
              domain,
              values,
              sparser(drawn, tensor, termsOf(tensor, readers.get(tensor.id))),
              tensor,
            );
      const draw = { seed: (seed * 7919 + at * 104729 + 1) | 0, rule };
      const numbers = new Float64Array(countOf(tensor));
      for (let index = 0; index < numbers.length; index += 1) numbers[index] = drawnAt(draw, index);
      return [tensor.id, { draw, values: numbers }];
    }),
  );
}

/** The first operator that reads each tensor. */
function firstReaders({ operators }: Graph): ReadonlyMap<TensorId, Operator> {
  const readers = new Map<TensorId, Operator>();
  for (const operator of operators)
    for (const { tensor } of operator.inputs)
      if (!readers.has(tensor)) readers.set(tensor, operator);
  return readers;
}

/** Entries that add up all their terms; in a lookup only one term counts. */
const products: ReadonlySet<string> = new Set([
  ...["matmul", "linear", "einsum", "addmm", "conv1d", "conv2d", "conv3d"],
]);

/** The number of terms in the products of a parameter, at its first reader. */
function termsOf({ id, role }: Tensor, reader: Operator | undefined): number {
  if (role !== "parameter" || !products.has(reader?.entry ?? "") || reader === undefined) return 1;
  const named = (operands: Operator["inputs"]) =>
    new Set(operands.flatMap(({ dims }) => dims.flatMap(({ identifiers }) => identifiers)));
  const own = named(reader.inputs.filter(({ tensor }) => tensor === id));
  const made = named(reader.outputs);
  return reader.axes.reduce(
    (terms, { name, size }) => (own.has(name) && !made.has(name) ? terms * size : terms),
    1,
  );
}

/**
 * Number of nonzero terms in a long sum, so that sums of products stay as small as their factors.
 */
const fewTerms = 6;

/** Least share of nonzero values in a parameter, so that not all results are 0. */
const leastOfParameter = 0.75;

/**
 * Distribution with fewer nonzero values for a leaf whose products are summed, but enough for a
 * parameter.
 */
function sparser({ range, density }: IntegerDraw, { role }: Tensor, terms: number): IntegerDraw {
  if (terms > 1) return { range, density: Math.min(1, fewTerms / terms) };
  return { range, density: role === "parameter" ? Math.max(density, leastOfParameter) : density };
}

/** Distribution of drawn integers: −range … range, with a share of 1 − `density` set to 0. */
export interface IntegerDraw {
  readonly range: number;
  readonly density: number;
}

interface LeafDomain {
  readonly kind: Domain["kind"];
  readonly below: number;
  readonly isOpen?: true;
}

/** Operators that pass their operand's elements on unchanged. */
const passing: ReadonlySet<string> = new Set([
  ...["reshape", "flatten", "squeeze", "unsqueeze", "permute", "transpose", "expand", "identity"],
  ...["cast", "slice", "select", "split", "chunk", "flip", "roll", "concat", "stack", "repeat"],
]);

/** Domain of a leaf's values: that of its first reader with a domain, else that of its dtype. */
function domainOf(graph: Graph, id: TensorId, bodies: WholeBodies): LeafDomain | undefined {
  const read = domainRead(graph, id, bodies);
  const dtype = graph.tensors.find((tensor) => tensor.id === id)?.dtype;
  if (read !== undefined || dtype === undefined) return read;
  if (dtype === "bool") return { kind: "flag", below: 0 };
  return /^[iu]/.test(dtype) ? { kind: "index", below: fewIndices, isOpen: true } : undefined;
}

/** The bound for whole numbers of unknown meaning. */
const fewIndices = 4;

function domainRead(graph: Graph, id: TensorId, bodies: WholeBodies): LeafDomain | undefined {
  const shapes = new Map(graph.tensors.map((tensor) => [tensor.id, tensor.shape]));
  for (const operator of graph.operators) {
    const inner = domainInside(operator, id, bodies(operator));
    if (inner !== undefined) return inner;
    const handed = passing.has(operator.entry ?? "") && operator.inputs[0]?.tensor === id;
    for (const { tensor } of handed ? operator.outputs : []) {
      const behind = domainRead(graph, tensor, bodies);
      if (behind !== undefined) return behind;
    }
    if (operator.points !== undefined) {
      const domain = domainAtPoints(operator, operator.points, id);
      if (domain !== undefined) return domain;
    }
    const entry = operator.entry === undefined ? undefined : entryOf(operator.entry);
    if (entry === undefined || !operator.inputs.some(({ tensor }) => tensor === id)) continue;
    const call = callOf(operator, (tensor) => shapes.get(tensor) ?? []);
    const tensors = call.inputs.flatMap((input, at) => (input === undefined ? [] : [at]));
    for (const [given, at] of tensors.entries()) {
      const domain = operator.inputs[given]?.tensor === id ? entry.domains[at] : undefined;
      if (domain === undefined) continue;
      return leafDomain(domain, call);
    }
  }
  return undefined;
}

/** The draw for a domain in a call; `undefined` if the call reads no indices. */
function leafDomain(domain: Domain, call: BoundCall): LeafDomain | undefined {
  const below = domain.kind === "index" ? domain.below(call) : 0;
  return below === undefined ? undefined : { kind: domain.kind, below };
}

/** The domain that a kernel of single index points wants for an operand. */
function domainAtPoints(
  operator: Operator,
  kernel: PointKernel,
  id: TensorId,
): LeafDomain | undefined {
  const bound = bindPoint(operator, kernel);
  if (bound === undefined) return undefined;
  for (const [parameter, at] of kernel.order.entries()) {
    const domain = bound.entry.domains[parameter];
    if (operator.inputs[at]?.tensor !== id || domain === undefined) continue;
    return leafDomain(domain, bound.call);
  }
  return undefined;
}

/** The domain that the body of a registered function wants for an operand. */
function domainInside(
  { inputs }: Operator,
  id: TensorId,
  body: TracedBody | undefined,
): LeafDomain | undefined {
  const at = inputs.findIndex(({ tensor }) => tensor === id);
  const inside = body?.inputs[at];
  if (body === undefined || inside === undefined) return undefined;
  return domainRead(body.graph, inside, () => undefined);
}

function ruleOf(
  domain: LeafDomain | undefined,
  values: ValueKind,
  { range, density }: IntegerDraw,
  tensor: Tensor,
): DrawRule {
  const { role, shape } = tensor;
  // Scales and shifts of norms are few values, and none of them may be 0.
  const isFew = role === "parameter" && shape.length === 1 && values === "integers";
  switch (domain?.kind) {
    case "index":
      return { ...domain, kind: "index" };
    case "flag":
      return { kind: "index", below: 2 };
    case "sign":
      return { kind: "sign" };
    case "fraction":
      return values === "floats" ? { kind: "fraction" } : { kind: "count", range };
    case "positive":
      return values === "floats" ? { kind: "positive" } : { kind: "count", range };
    case undefined:
      if (isFew && range === 1) return { kind: "sign" };
      // A single number scales everything: if it were 0, nothing would be left to compare.
      if (values === "integers" && countOf(tensor) === 1)
        return range === 1 ? { kind: "sign" } : { kind: "count", range };
      return values === "floats" ? { kind: "signed" } : { kind: "integer", range, density };
  }
}

function countOf({ shape }: Tensor): number {
  return product(shape);
}
