// Prices by which MindSpore's search compares strategies: communication on edges, and the
// operator's own cost.

import { product } from "#core/arithmetic";
import type { OperatorCall } from "../operators/call.ts";
import type { OperatorModel } from "../operators/model-operator.ts";
import { costOf, refinedBytes } from "../redistribution/cost.ts";
import type { Redistribution } from "../redistribution/redistribute.ts";
import type { Cuts } from "./search-graph.ts";

/** Costs that MindSpore's search compares, in bytes (mindspore.md §6.3). */
export interface CostRecord {
  readonly computation: number;
  /** Communication, forward and backward. */
  readonly communication: number;
}

/** Cost of an edge that would communicate bools. */
const forbidden = 1e20;

/** The cost of a redistribution on an edge (mindspore.md §3.10). */
export function edgeCost(
  redistribution: Redistribution,
  bytes: number,
  isBool = false,
): CostRecord {
  const { forward, backward, computation } = costOf(redistribution);
  if (isBool && forward + backward > 0) {
    return { computation: forbidden, communication: forbidden };
  }
  const communication = refinedBytes(forward * bytes) + refinedBytes(backward * bytes);
  return { computation: computation * bytes, communication };
}

/** An item with its price vector; vectors compare lexicographically, least first. */
export interface Priced<T> {
  readonly item: T;
  readonly price: readonly number[];
}

/** The first item with the least price; `undefined` for an empty list. */
export function least<T>(priced: readonly Priced<T>[]): T | undefined {
  const [first, ...others] = priced;
  return others.reduce(
    (best, each) => (best !== undefined && isLess(each.price, best.price) ? each : best),
    first,
  )?.item;
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

/** Operators whose computation counts their result. */
const countsResult =
  /^(Log)?Softmax$|^Cum(Sum|Prod|sumExt)$|^(Tile|BroadcastTo|Stack|Gamma|FillV2)$|^(Uniform|Standard)/u;

/** Operators whose computation counts their first input alone. */
const countsFirst = /^(Concat|OneHot(Ext)?|Select|Split|ScatterUpdate|TopK|Reduce\w+|\w+Ext)$/u;

/**
 * An operator's own cost in bytes per device: the blocks that it reads, and the partial sums that
 * it combines, twice for a mean; 1 less if all devices share the rows of its first input.
 */
export function ownCost(
  { op, devices }: OperatorCall,
  strategies: Cuts,
  { outputs, inputSlices, forward }: OperatorModel,
): CostRecord {
  const size = (shape: readonly number[] | undefined) => 4 * product(shape ?? []);
  const result = size(outputs[0]?.slice);
  const read = countsFirst.test(op) ? inputSlices.slice(0, 1) : inputSlices;
  const own = countsResult.test(op) ? result : read.reduce((sum, slice) => sum + size(slice), 0);
  const summed = forward.length > 0 ? result : 0;
  const computation = own + (op === "ReduceMean" ? 2 : 1) * summed;
  const isByRows = strategies[0]?.[0] === devices;
  const less = (bytes: number) => (isByRows && bytes > 1 ? bytes - 1 : bytes);
  return { computation: less(computation), communication: refinedBytes(less(summed)) };
}
