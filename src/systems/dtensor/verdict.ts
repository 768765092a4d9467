import type { CutOperator } from "#systems/system";

/**
 * Operators whose statistics DTensor computes over whole dims (`_ops/_math_ops.py`, PyTorch 2.13).
 */
const wholeDims = new Set(["softmax", "log_softmax", "layer_norm", "rms_norm"]);

/** Losses over classes, whose class dim must be whole unless they run under `loss_parallel()`. */
const losses = new Set(["cross_entropy", "nll_loss"]);

/**
 * DTensor's behaviour when an operator reduces over a cut dim inside; `undefined` when it does
 * nothing special.
 */
export function dtensorVerdict({ operator, cut }: CutOperator): string | undefined {
  const { entry = "", inner = [] } = operator;
  const [first] = cut.filter((name) => inner.includes(name));
  if (first === undefined) return undefined;
  if (losses.has(entry)) return `gathers "${first}", unless it runs under loss_parallel()`;
  return wholeDims.has(entry) ? `gathers "${first}" first` : undefined;
}
