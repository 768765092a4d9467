import type { Split } from "#core/dimops";
import type { AdapterPrimitive } from "./adapter-hop.ts";

/** How an operator leaves a result, or takes an operand, on all devices of an adapter. */
export interface AdapterEnd {
  readonly split: Split;
  /** Its operator is replicated: every device does the same work. */
  readonly isReplicated: boolean;
}

/** The primitive of one direction of an adapter; `undefined` where it sends nothing. */
type Primitive = Exclude<AdapterPrimitive, "value-chunk"> | undefined;

/** The primitives of an adapter, forward and backward, and nnScaler's name of both together. */
export interface FusedPair {
  readonly forward: Primitive;
  readonly backward: Primitive;
  /** Absent where nothing is sent either way, or where nnScaler has no name for the two. */
  readonly name?: string;
}

/**
 * The differentiable pair that nnScaler makes of an adapter of one hop (dimops.md §6.3): forward
 * from how the producer leaves a tensor to how the consumer takes it, backward from the gradient
 * that the consumer makes to the one that the producer gets.
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

/** The part of a tensor's gradient that a piece has: a chunk, an addend, or the whole. */
export type GradientSplit =
  | { readonly kind: "chunk"; readonly dims: readonly number[] }
  | { readonly kind: "share"; readonly index: number; readonly count: number }
  | { readonly kind: "whole" };

/**
 * The gradient that one piece of a partitioned operator makes of an input (dimops.md §3): that of
 * its chunk, or, of an input that every piece sees whole, a share of the value, which the pieces
 * sum up to. Pieces of a replicated operator make the whole gradient, each of them.
 *
 * @param pieces how many pieces the operator has; copies when `isReplicated`
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

/** The gradient that a piece gets of an output: never a share, for that of a sum is a copy. */
export function outputGradient(split: Split): GradientSplit {
  return split.kind === "D" ? { kind: "chunk", dims: split.dims } : { kind: "whole" };
}
