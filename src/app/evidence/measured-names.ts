import type { Group } from "./rows.ts";

/** Names of measured rows by library entry. */
const names: ReadonlyMap<string, string> = new Map([
  ...["matmul", "linear", "einsum", "batch_matmul"].map((entry) => [entry, "matmul"] as const),
  ...["conv2d", "attention", "embedding", "cross_entropy", "layer_norm", "rms_norm"].map(
    (entry) => [entry, entry] as const,
  ),
  ...["softmax", "gelu", "silu", "relu", "add", "mul", "sum", "dropout", "adamw"].map(
    (entry) => [entry, entry] as const,
  ),
  ["identity", "copy"],
  ["transpose", "transpose-copy"],
]);

/** Measured rows of an operator kind; `words` is empty if the kind has no own measurements. */
export interface KernelRows {
  readonly group: Group;
  readonly words: string;
  readonly isOwn: boolean;
}

/** The measured rows to which an operator's kernels were fitted, by its entry and pass. */
export function kernelRows(entry: string, isForward: boolean): KernelRows {
  const words = names.get(entry);
  const isProduct = words === "matmul" || entry === "conv2d";
  // A product's gradients are products, whose rows are those of the forward pass.
  const group = isForward || isProduct ? "operators" : "operators with a backward pass";
  return { group, words: words ?? "", isOwn: words !== undefined };
}
