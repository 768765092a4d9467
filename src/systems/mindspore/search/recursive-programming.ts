import { matmulRoles } from "../operators/matmul-roles.ts";
import type { FoundStrategies, SearchGraph, SearchOperator } from "./search-graph.ts";
import { shardingPropagation } from "./sharding-propagation.ts";

/** How much a halving that a neighbour does not share counts against its tensor. */
const redistributionWeight = 16;

/** Rows, columns and contraction of a product. */
type Edge = "rows" | "columns" | "contraction";

/** A matrix product that is being halved. */
interface Product {
  readonly name: string;
  readonly sizes: Readonly<Record<Edge, number>>;
  readonly pieces: Record<Edge, number>;
}

/** Which edges of its first input, second input and result a halving cuts, by (rows, columns). */
const cutDims: Readonly<Record<Edge, readonly (readonly [boolean, boolean])[]>> = {
  rows: [
    [true, false],
    [false, false],
    [true, false],
  ],
  columns: [
    [false, false],
    [false, true],
    [false, true],
  ],
  contraction: [
    [false, true],
    [true, false],
    [false, false],
  ],
};

/**
 * Strategies by `recursive_programming` (double recursive, mindspore.md §6.4): the devices are
 * halved again and again, and every MatMul, the last one first, takes the cheapest halving, with
 * what it must redistribute to products that this round has cut. Other operators follow by
 * propagation; without any MatMul everything stays whole.
 *
 * Of MindSpore's modelled operators only products of two matrices are modelled here.
 */
export function recursiveProgramming(graph: SearchGraph, devices: number): FoundStrategies {
  const products = graph.operators.flatMap(productOf);
  if (products.length === 0) {
    return new Map(graph.operators.map(({ name, call }) => [name, call.shapes.map(whole)]));
  }
  for (let left = devices; left % 2 === 0; left /= 2) halve(products, graph);
  const known = new Map(products.map((product) => [product.name, product]));
  const operators = graph.operators.map((operator): SearchOperator => {
    const product = known.get(operator.name);
    return product === undefined
      ? operator
      : { ...operator, strategies: strategiesOf(operator, product) };
  });
  return shardingPropagation({ ...graph, operators });
}

function whole(shape: readonly number[]): readonly number[] {
  return shape.map(() => 1);
}

function productOf({ name, call }: SearchOperator): readonly Product[] {
  const roles = /^MatMul/.test(call.op) ? matmulRoles(call) : undefined;
  const [a, b] = call.shapes;
  if (roles?.ok !== true || a?.length !== 2 || b?.length !== 2) return [];
  const { a: left, b: right } = roles.value;
  const sizes = {
    rows: a[left.free] ?? 1,
    columns: b[right.free] ?? 1,
    contraction: a[left.contracted] ?? 1,
  };
  return [{ name, sizes, pieces: { rows: 1, columns: 1, contraction: 1 } }];
}

/** One round over all products, the last one first. */
function halve(products: readonly Product[], graph: SearchGraph): void {
  const cut = new Map<string, Edge>();
  for (const product of products.toReversed()) {
    const edge = cheapestEdge(product, neighboursOf(product.name, graph, cut));
    if (edge === undefined) continue;
    product.pieces[edge] *= 2;
    cut.set(product.name, edge);
  }
}

/** Products next to one that this round has cut. */
interface Neighbours {
  readonly producers: readonly Edge[];
  readonly consumers: readonly Edge[];
}

function neighboursOf(
  name: string,
  { edges }: SearchGraph,
  cut: ReadonlyMap<string, Edge>,
): Neighbours {
  const known = (names: readonly string[]) => names.flatMap((each) => cut.get(each) ?? []);
  const into = edges.filter(({ to }) => to === name).sort((a, b) => a.input - b.input);
  const outOf = edges.filter(({ from }) => from === name);
  return {
    producers: known(into.map(({ from }) => from)),
    consumers: known(outOf.map(({ to }) => to)),
  };
}

/** The cheapest of the even edges; of equal ones rows, then columns, then the contraction. */
function cheapestEdge(product: Product, neighbours: Neighbours): Edge | undefined {
  const local = (edge: Edge) => product.sizes[edge] / product.pieces[edge];
  const [i, j, k] = [local("rows"), local("columns"), local("contraction")];
  const prices: readonly (readonly [Edge, number, number])[] = [
    ["rows", i, (j * k * 0.25) / 2],
    ["columns", j, (i * k) / 2],
    ["contraction", k, (i * j) / 2],
  ];
  let best: { readonly edge: Edge; readonly price: number } | undefined;
  for (const [edge, size, own] of prices) {
    if (size < 2 || size % 2 !== 0) continue;
    const price = own + redistributionPrice(edge, neighbours, i * k, i * j);
    if (best === undefined || price < best.price) best = { edge, price };
  }
  return best?.edge;
}

/** As upstream: producers count by their place among the inputs, consumers by their first input. */
function redistributionPrice(
  edge: Edge,
  { producers, consumers }: Neighbours,
  inputElements: number,
  resultElements: number,
): number {
  const [first, second, result] = cutDims[edge];
  const before = producers.filter((other, at) => {
    return String(cutDims[other][2]) !== String(at === 0 ? first : second);
  });
  const after = consumers.filter((other) => String(cutDims[other][0]) !== String(result));
  const elements = before.length * inputElements + after.length * resultElements;
  return redistributionWeight * elements;
}

function strategiesOf(
  { call }: SearchOperator,
  { pieces }: Product,
): readonly (readonly number[])[] {
  const { transpose_a: flipsA = false, transpose_b: flipsB = false } = call.attributes;
  const a = [pieces.rows, pieces.contraction];
  const b = [pieces.contraction, pieces.columns];
  return [flipsA === true ? a.reverse() : a, flipsB === true ? b.reverse() : b];
}
