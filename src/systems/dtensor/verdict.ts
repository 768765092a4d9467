import type { CutOperator } from "#systems/system";

/** Operators whose statistics DTensor takes of whole dims (`_ops/_math_ops.py`, PyTorch 2.13). */
const wholeDims = new Set(["softmax", "log_softmax", "layer_norm", "rms_norm"]);

/** Losses over classes: whole, unless `loss_parallel()` surrounds them. */
const losses = new Set(["cross_entropy", "nll_loss"]);

/** What DTensor does where an operator combines over a cut dim inside. */
export function dtensorVerdict({ operator, cut }: CutOperator): string | undefined {
  const { entry = "", inner = [] } = operator;
  const [first] = cut.filter((name) => inner.includes(name));
  if (first === undefined) return undefined;
  if (losses.has(entry)) return `gathers "${first}", unless it runs under loss_parallel()`;
  return wholeDims.has(entry) ? `gathers "${first}" first` : undefined;
}
