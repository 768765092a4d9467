import {
  cutDims,
  type Edge,
  elementsOf,
  halvingsOf,
  type Product,
  productIn,
  strategiesOf,
} from "./halved-product.ts";
import type { Found, SearchGraph, SearchOperator } from "./search-graph.ts";
import { shardingPropagation } from "./sharding-propagation.ts";

/** Weight of redistributed elements if a neighbour does not share a halving. */
const redistributionWeight = 16;

const uncut = ["", "", ""].map(() => [false, false, false, false]);

/**
 * Strategies by `recursive_programming` (double recursive, mindspore.md §6.4): the devices are
 * halved repeatedly, and each product, from the last to the first, takes the cheapest halving. The
 * price includes the redistribution to products already cut in this round. Other operators follow
 * by propagation; without any product everything stays whole.
 *
 * Only MatMul and BatchMatMul are modelled here as products; MindSpore models further operators.
 */
export function recursiveProgramming(graph: SearchGraph, devices: number): Found {
  const products = graph.operators.flatMap(productIn);
  if (products.length === 0) {
    const wholeOf = ({ call }: SearchOperator) => ({ strategies: call.shapes.map(whole) });
    return { strategies: new Map(graph.operators.map((each) => [each.name, wholeOf(each)])) };
  }
  for (let left = devices; left % 2 === 0; left /= 2) halve(products, graph);
  const known = new Map(products.map((product) => [product.operator.name, product]));
  const operators = graph.operators.map((operator): SearchOperator => {
    const product = known.get(operator.name);
    if (product === undefined) return operator;
    return { ...operator, written: { kind: "tuples" as const, inputs: strategiesOf(product) } };
  });
  return shardingPropagation({ ...graph, operators });
}

function whole(shape: readonly number[]): readonly number[] {
  return shape.map(() => 1);
}

/** One round over all products, the last one first. */
function halve(products: readonly Product[], graph: SearchGraph): void {
  const cut = new Map<string, Edge>();
  for (const product of products.toReversed()) {
    const edge = cheapestEdge(product, neighboursOf(product.operator.name, graph, cut));
    if (edge === undefined) continue;
    product.pieces[edge] *= 2;
    cut.set(product.operator.name, edge);
  }
}

/** Halvings in this round of the products next to one. */
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

/**
 * The edge of the cheapest halving, the first of equal ones; `undefined` to leave the product as it
 * is.
 */
function cheapestEdge(product: Product, neighbours: Neighbours): Edge | undefined {
  const { a, result } = elementsOf(product);
  let best: { readonly edge: Edge | undefined; readonly price: number } | undefined;
  for (const { edge, price: own } of halvingsOf(product)) {
    const price = Math.abs(own + redistributionPrice(edge, neighbours, a, result));
    if (best === undefined || price < best.price) best = { edge, price };
  }
  return best?.edge;
}

/**
 * Price of redistribution as upstream: a producer is compared by its place among the inputs, a
 * consumer by its first input.
 */
function redistributionPrice(
  edge: Edge | undefined,
  { producers, consumers }: Neighbours,
  inputElements: number,
  resultElements: number,
): number {
  const [first, second, result] = edge === undefined ? uncut : cutDims[edge];
  const before = producers.filter((other, at) => {
    return String(cutDims[other][2]) !== String(at === 0 ? first : second);
  });
  const after = consumers.filter((other) => String(cutDims[other][0]) !== String(result));
  const elements = before.length * inputElements + after.length * resultElements;
  return redistributionWeight * elements;
}
