import type { Split } from "#core/dimops";
import type { AdapterPrimitive } from "./adapter-hop.ts";

/**
 * The split of a result by its producer, or of an operand by its reader, over all devices of an
 * adapter.
 */
export interface AdapterEnd {
  readonly split: Split;
  /** Whether its operator is replicated: every device does the same work. */
  readonly isReplicated: boolean;
}

/** The primitive of one direction of an adapter; `undefined` if nothing is sent. */
type Primitive = Exclude<AdapterPrimitive, "value-chunk"> | undefined;

/** The primitives of an adapter, forward and backward, and nnScaler's name of the pair. */
export interface FusedPair {
  readonly forward: Primitive;
  readonly backward: Primitive;
  /** Undefined if nothing is sent either way, or nnScaler has no name for the pair. */
  readonly name?: string;
}

/**
 * The differentiable pair that nnScaler makes of a one-hop adapter (dimops.md §6.3). Forward goes
 * from the producer's split of a tensor to the consumer's, backward from the gradient that the
 * consumer makes to the one that the producer needs.
 */
export function fusedPair(producer: AdapterEnd, consumer: AdapterEnd): FusedPair {
  const forward = primitiveFrom(producer.split, consumer.split);
  const made = inputGradient(consumer.split, 0, 2, consumer.isReplicated);
  const backward = primitiveFrom(asSplit(made), asSplit(outputGradient(producer.split)));
  const name = names[`${forward ?? "none"} ${backward ?? "none"}`];
  return { forward, backward, ...(name !== undefined && { name }) };
}

function asSplit(gradient: GradientSplit): Split {
  switch (gradient.kind) {
    case "chunk":
      return { kind: "D", dims: gradient.dims };
    case "share":
      return { kind: "V" };
    case "whole":
      return { kind: "R" };
  }
}

function primitiveFrom(from: Split, to: Split): Primitive {
  if (from.kind === "V") return to.kind === "D" ? "reduce-scatter" : "all-reduce";
  if (from.kind === "R") return to.kind === "D" ? "chunk" : undefined;
  if (to.kind !== "D") return "all-gather";
  return from.dims.join() === to.dims.join() ? undefined : "all-to-all";
}

const names: Readonly<Record<string, string>> = {
  "none all-reduce": "IdentityAllreduce",
  "all-reduce none": "AllReduceIdentity",
  "all-reduce all-reduce": "AllReduceAllReduce",
  "all-gather reduce-scatter": "AllGatherReduceScatter",
  "reduce-scatter all-gather": "ReduceScatterAllGather",
  "all-gather chunk": "AllGatherSplit",
  "chunk all-gather": "SplitAllGather",
  "all-to-all all-to-all": "AllToAllAllToAll",
};

/**
 * The part of a tensor's gradient that a piece has: a chunk, an addend of the value, or the whole.
 */
export type GradientSplit =
  | { readonly kind: "chunk"; readonly dims: readonly number[] }
  | { readonly kind: "share"; readonly index: number; readonly count: number }
  | { readonly kind: "whole" };

/**
 * The gradient of an input made by one piece of a partitioned operator (dimops.md §3): that of its
 * chunk, or, for an input that every piece reads whole, an addend of the value. Each piece of a
 * replicated operator makes the whole gradient.
 *
 * @param pieces number of pieces of the operator; copies if `isReplicated`
 *
 * @internal
 */
export function inputGradient(
  split: Split,
  index: number,
  pieces: number,
  isReplicated = false,
): GradientSplit {
  if (isReplicated || pieces === 1) return { kind: "whole" };
  if (split.kind === "D") return { kind: "chunk", dims: split.dims };
  return { kind: "share", index, count: pieces };
}
/** @internal */

/**
 * The gradient of an output that a piece receives: never an addend, since the gradient of a sum is
 * a copy.
 */
export function outputGradient(split: Split): GradientSplit {
  return split.kind === "D" ? { kind: "chunk", dims: split.dims } : { kind: "whole" };
}
