// Prices by which MindSpore's search compares candidates: communication on edges, and the
// operator's own cost.

import { product } from "#core/arithmetic";
import type { OperatorCall } from "../operators/call.ts";
import { costOf, refinedBytes } from "../redistribution/cost.ts";
import type { Redistribution } from "../redistribution/redistribute.ts";
import type { Candidate } from "./enumerate-strategies.ts";

/** Costs that MindSpore's search compares, in bytes (mindspore.md §6.3). */
export interface CostRecord {
  readonly computation: number;
  /** Communication, forward and backward. */
  readonly communication: number;
  /** Communication without that of parameter gradients. */
  readonly withoutParameter: number;
}

/** Cost of an edge that would communicate bools. */
const forbidden = 1e20;

/**
 * The cost of a redistribution on an edge (mindspore.md §3.10).
 */
export function edgeCost(
  redistribution: Redistribution,
  bytes: number,
  isBool = false,
): CostRecord {
  const { forward, backward, computation } = costOf(redistribution);
  if (isBool && forward + backward > 0) {
    return { computation: forbidden, communication: forbidden, withoutParameter: forbidden };
  }
  const communication = refinedBytes(forward * bytes) + refinedBytes(backward * bytes);
  return { computation: computation * bytes, communication, withoutParameter: communication };
}

/**
 * A candidate with its price vector, in bytes or pieces; vectors compare lexicographically, least
 * first.
 */
export interface Priced {
  readonly candidate: Candidate;
  readonly price: readonly number[];
}

type EdgePrice = Pick<CostRecord, "communication" | "computation">;

/**
 * The price vector of an operator with one edge: the edge's costs, its own communication, then its
 * numbers of pieces, descending.
 */
export function likeOne(
  edge: EdgePrice,
  call: OperatorCall,
  candidate: Candidate,
): readonly number[] {
  const pieces = candidate.strategies.flat();
  const { communication } = ownCost(call, candidate);
  const fewer = [-product(pieces), ...pieces.map((each) => -each)];
  return [edge.communication, edge.computation, communication, ...fewer];
}

/**
 * The price vector of an operator with several edges: the edges' costs, its own computation, then
 * its own communication.
 */
export function likeSeveral(
  edge: EdgePrice,
  call: OperatorCall,
  candidate: Candidate,
): readonly number[] {
  const { computation, communication } = ownCost(call, candidate);
  return [edge.communication, edge.computation, computation, communication];
}

/** The first candidate with the least price; `undefined` for an empty list. */
export function least(priced: readonly Priced[]): Candidate | undefined {
  const [first, ...others] = priced;
  return others.reduce(
    (best, each) => (best !== undefined && isLess(each.price, best.price) ? each : best),
    first,
  )?.candidate;
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

/**
 * An operator's own cost in bytes per device: the blocks that it reads, the partial sums that it
 * combines, and the gradients of replicated parameters; 1 less if all devices share the rows of its
 * first input.
 */
function ownCost(
  { op, parameters, devices }: OperatorCall,
  { strategies, model }: Candidate,
): EdgePrice {
  const size = (shape: readonly number[] | undefined) => 4 * product(shape ?? []);
  const result = size(model.outputs[0]?.slice);
  const read = /^(Log)?Softmax$|^Tile$/u.test(op)
    ? result
    : model.inputSlices.reduce((sum, slice) => sum + size(slice), 0);
  const summed = model.forward.length > 0 ? result : 0;
  const copied = parameters.reduce(
    (sum, at) =>
      product(strategies[at] ?? []) === devices ? sum : sum + size(model.inputSlices[at]),
    0,
  );
  const all = read + summed + copied;
  const isByRows = strategies[0]?.[0] === devices && all > 1;
  return { computation: isByRows ? all - 1 : all, communication: refinedBytes(summed) };
}
