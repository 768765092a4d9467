import type { Split } from "#core/dimops";

/** What a piece's gradient of a tensor is: a chunk of it, a share of its value, or all of it. */
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

/** The gradient that a piece gets of an output: never a share, for that of a sum is a copy. */
export function outputGradient(split: Split): GradientSplit {
  return split.kind === "D" ? { kind: "chunk", dims: split.dims } : { kind: "whole" };
}
