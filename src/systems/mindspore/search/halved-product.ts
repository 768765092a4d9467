import { product } from "#core/arithmetic";
import { matmulRoles } from "../operators/matmul-roles.ts";

import type { SearchOperator } from "./search-graph.ts";

/**
 * The index of a matrix product that a halving cuts: one of its two batch dims, rows, columns or
 * contraction.
 */
export type Edge = "batch" | "channel" | "rows" | "columns" | "contraction";

/** Whether the four dims (n, c, h, w) of a tensor are cut. */
export type Cut4 = readonly boolean[];

/** A matrix product during halving; tensors count as 4-D (n, c, h, w). */
export interface Product {
  readonly operator: SearchOperator;
  readonly sizes: Readonly<Record<Edge, number>>;
  readonly pieces: Record<Edge, number>;
  /** Whether it is priced as BatchMatMul. */
  readonly isBatched: boolean;
}

/** A halving with its own cost, without redistribution. */
export interface Halving {
  /** Undefined for leaving the product as it is. */
  readonly edge?: Edge;
  readonly price: number;
}

type Cuts = readonly [first: Cut4, second: Cut4, result: Cut4];

const uncut: Cut4 = [false, false, false, false];
const [byBatch, byChannel]: readonly [Cut4, Cut4] = [uncut.with(0, true), uncut.with(1, true)];
const [byHeight, byWidth]: readonly [Cut4, Cut4] = [uncut.with(2, true), uncut.with(3, true)];

/** The dims of the first input, the second input and the result that a halving cuts. */
export const cutDims: Readonly<Record<Edge, Cuts>> = {
  batch: [byBatch, byBatch, byBatch],
  channel: [byChannel, byChannel, byChannel],
  rows: [byHeight, uncut, byHeight],
  columns: [uncut, byWidth, byWidth],
  contraction: [byWidth, byHeight, uncut],
};

/** A product of the search with at most 4 dims; empty for other operators. */
export function productIn(operator: SearchOperator): readonly Product[] {
  const { call } = operator;
  const roles = /^(Batch)?MatMul/.test(call.op) ? matmulRoles(call) : undefined;
  const [a = [], b = []] = call.shapes;
  if (roles?.ok !== true || Math.max(a.length, b.length) > 4) return [];
  const { a: left, b: right, output } = roles.value;
  const batch = output.slice(0, -2);
  const sizes = {
    batch: batch.length > 1 ? (batch[0] ?? 1) : 1,
    channel: batch.at(-1) ?? 1,
    rows: a[left.free] ?? 1,
    columns: b[right.free] ?? 1,
    contraction: a[left.contracted] ?? 1,
  };
  const pieces = { batch: 1, channel: 1, rows: 1, columns: 1, contraction: 1 };
  return [{ operator, sizes, pieces, isBatched: batch.length > 0 }];
}

/** The possible halvings; of equal prices the first wins. */
export function halvingsOf(contraction: Product): readonly Halving[] {
  const local = (edge: Edge) => contraction.sizes[edge] / contraction.pieces[edge];
  const priced = contraction.isBatched ? batchedPrices(contraction) : plainPrices(contraction);
  return priced.filter(
    ({ edge }) => edge === undefined || (local(edge) >= 2 && local(edge) % 2 === 0),
  );
}

/** Prices for MatMul (mindspore.md §6.4): cut i = j·k/2·0.25, cut j = i·k/2, cut k = i·j/2. */
function plainPrices(contraction: Product): readonly Halving[] {
  const { a, b, result } = elementsOf(contraction);
  return [
    { edge: "rows", price: (b * 0.25) / 2 },
    { edge: "columns", price: a / 2 },
    { edge: "contraction", price: result / 2 },
  ];
}

/** Cores of one device, which idle with too few batches. */
const cores = 32;
/** Factor by which cutting a batch costs more than its smallest tensor. */
const batchFactor = 1.5;
/** Scale below which a product is left whole. */
const wholeBelow = 350;

/** Prices for BatchMatMul: batch dims are cheap once they fill the cores (AP rec_core/rec_cost). */
function batchedPrices(contraction: Product): readonly Halving[] {
  const { a, b, result } = elementsOf(contraction);
  const { pieces, sizes } = contraction;
  const batches = (sizes.batch / pieces.batch) * (sizes.channel / pieces.channel);
  const idle = batches === 1 ? cores : Math.max(cores / batches - 1, 0);
  const least = (batchFactor * Math.min(a, b, result)) / 2;
  return [
    { edge: "batch", price: idle * least },
    { edge: "channel", price: idle * least - 1 },
    { edge: "rows", price: b / 2 },
    ...(pieces.contraction > 1 ? [] : [{ edge: "columns", price: a / 2 } as const]),
    ...(pieces.columns > 1 ? [] : [{ edge: "contraction", price: result / 2 } as const]),
    { price: (least * least) / wholeBelow },
  ];
}

/** Elements per device of both inputs and of the result. */
export function elementsOf(contraction: Product): {
  readonly a: number;
  readonly b: number;
  readonly result: number;
} {
  const { operator, sizes, pieces } = contraction;
  const cuts = strategiesOf(contraction);
  const [a = 1, b = 1] = operator.call.shapes.map(
    (shape, input) => product(shape) / product(cuts[input] ?? []),
  );
  const kept: readonly Edge[] = ["batch", "channel", "rows", "columns"];
  return { a, b, result: product(kept.map((edge) => sizes[edge] / pieces[edge])) };
}

/** The strategy of a product; dims of size 1 are not cut. */
export function strategiesOf({
  operator: { call },
  pieces,
}: Product): readonly (readonly number[])[] {
  const { transpose_a: flipsA = false, transpose_b: flipsB = false } = call.attributes;
  const roles: readonly (readonly Edge[])[] = [
    flipsA === true ? ["contraction", "rows"] : ["rows", "contraction"],
    flipsB === true ? ["columns", "contraction"] : ["contraction", "columns"],
  ];
  return call.shapes.map((shape, input) => {
    const edges: readonly Edge[] = ["batch", "channel", ...(roles[input] ?? [])];
    const own = edges.slice(edges.length - shape.length);
    return shape.map((size, dim) => (size === 1 ? 1 : pieces[own[dim] ?? "batch"]));
  });
}
