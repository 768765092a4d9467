import { costOf, refinedBytes } from "../redistribution/cost.ts";
import type { Redistribution } from "../redistribution/redistribute.ts";

/** What MindSpore's search weighs, in bytes (mindspore.md §6.3). */
export interface CostRecord {
  readonly computation: number;
  /** Forward and backward. */
  readonly communication: number;
  /** Without what the gradients of parameters cost. */
  readonly withoutParameter: number;
}

/** How dear a bool edge that communicates counts. */
const forbidden = 1e20;

/** The cost of a redistribution on an edge (mindspore.md §3.10). */
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
