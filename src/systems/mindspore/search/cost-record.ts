import type { OperatorCall } from "../operators/call.ts";
import { matmulRoles } from "../operators/matmul-roles.ts";
import { costOf, refinedBytes } from "../redistribution/cost.ts";
import { productOf } from "../redistribution/flat-layout.ts";
import type { Redistribution } from "../redistribution/redistribute.ts";
import type { Candidate } from "./enumerate-strategies.ts";

/** What MindSpore's search weighs, in bytes (mindspore.md §6.3). */
export interface CostRecord {
  readonly computation: number;
  /** Forward and backward. */
  readonly communication: number;
  /** Without what the gradients of parameters cost. */
  readonly withoutParameter: number;
}

/** MindSpore's weights. */
export interface CostWeights {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
}

/** Its defaults on Ascend; on GPU beta is 50. */
const ascendWeights: CostWeights = { alpha: 1, beta: 400, gamma: 0.001 };

/** How dear a bool edge that communicates counts. */
const forbidden = 1e20;

/**
 * The cost of a MatMul: it sends its result where the contraction is cut, and a parameter's
 * gradient where copies of it differ in their data.
 *
 * @param bytes of one element
 */
export function matmulCost(call: OperatorCall, { model }: Candidate, bytes: number): CostRecord {
  const roles = matmulRoles(call);
  const sizeOf = (slice: readonly number[] = []) => productOf(slice) * bytes;
  const [a, b] = model.inputSlices;
  const result = sizeOf(model.outputs[0]?.slice);
  const inner = roles.ok ? roles.value.a.contracted : 0;
  const isContractionCut = a?.[inner] !== call.shapes[0]?.[inner];
  const pieces = productOf(call.shapes[1] ?? []) / productOf(b ?? []);
  const isSynchronised = call.parameters.includes(1) && pieces !== call.devices;
  const forward = isContractionCut ? result : 0;
  return {
    computation: sizeOf(a) + sizeOf(b) + forward,
    communication: forward + (isSynchronised ? sizeOf(b) : 0),
    withoutParameter: forward,
  };
}

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

/** What a search for training minimises. */
export function objectiveOf(record: CostRecord, weights: CostWeights = ascendWeights): number {
  const { computation, communication, withoutParameter } = record;
  const partial = withoutParameter + weights.gamma * (communication - withoutParameter);
  return weights.alpha * computation + weights.beta * partial;
}

/** Records by growing computation, of which each sends strictly less than the one before. */
export function simplified<T extends CostRecord>(records: readonly T[]): readonly T[] {
  const sorted = [...records].sort((a, b) => a.computation - b.computation);
  let least = Infinity;
  return sorted.filter(({ communication }) => {
    if (communication >= least) return false;
    least = communication;
    return true;
  });
}

/** A strategy that cuts its first dim over all devices counts a little less, to break ties. */
export function favoured(record: CostRecord, isBatchParallel: boolean): CostRecord {
  if (!isBatchParallel) return record;
  const less = (value: number) => (value > 1 ? value - 1 : value);
  return {
    computation: less(record.computation),
    communication: less(record.communication),
    withoutParameter: less(record.withoutParameter),
  };
}
