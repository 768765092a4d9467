import { fieldOf } from "#core/records";
import type { Argument, Context, Value } from "#language/python";

/** A value of a setting: `null` is Python's `None`. */
type Plain = number | string | boolean | null;

const oldMeans = { size_average: [null], reduce: [null] };
const weighted = { ...oldMeans, weight: [null] };
const classes = { ...weighted, ignore_index: [-100] };
const convolution = { padding_mode: ["zeros"] };
const table = { max_norm: [null], sparse: [false] };
const scaled = { alpha: [1], beta: [1] };

/**
 * Settings that are taken and not computed with, by layer or function, with the values that mean
 * what is computed (PyTorch 2.13's defaults): shapes stand, elements are others.
 */
const uncomputed: Readonly<Record<string, Readonly<Record<string, readonly Plain[]>>>> = {
  add: { alpha: [1] },
  addmm: { ...scaled, out_dtype: [null] },
  avg_pool2d: { count_include_pad: [true], divisor_override: [null] },
  binary_cross_entropy: weighted,
  binary_cross_entropy_with_logits: { ...weighted, pos_weight: [null] },
  bmm: { out_dtype: [null] },
  cross_entropy: { ...classes, label_smoothing: [0] },
  div: { rounding_mode: [null] },
  elu: { alpha: [1] },
  embedding: table,
  gelu: { approximate: ["none"] },
  hinge_embedding_loss: { ...oldMeans, margin: [1] },
  huber_loss: { delta: [1], weight: [null] },
  kl_div: { ...oldMeans, log_target: [false] },
  l1_loss: weighted,
  mm: { out_dtype: [null] },
  mse_loss: weighted,
  multilabel_soft_margin_loss: weighted,
  nll_loss: classes,
  norm: { p: [null, "fro", 2] },
  poisson_nll_loss: { ...oldMeans, log_input: [true], full: [false], eps: [1e-8] },
  scaled_dot_product_attention: { dropout_p: [0] },
  smooth_l1_loss: { ...oldMeans, beta: [1] },
  soft_margin_loss: oldMeans,
  softplus: { beta: [1], threshold: [20] },
  sub: { alpha: [1] },
  var: { unbiased: [true] },
  BCELoss: { weight: [null] },
  BCEWithLogitsLoss: { weight: [null], pos_weight: [null] },
  Conv1d: convolution,
  Conv2d: convolution,
  Conv3d: convolution,
  CrossEntropyLoss: { weight: [null], ignore_index: [-100], label_smoothing: [0] },
  ELU: { alpha: [1] },
  Embedding: table,
  GELU: { approximate: ["none"] },
  HingeEmbeddingLoss: { margin: [1] },
  HuberLoss: { delta: [1] },
  KLDivLoss: { reduction: ["mean"], log_target: [false] },
  MultiLabelSoftMarginLoss: { weight: [null] },
  NLLLoss: { weight: [null], ignore_index: [-100] },
  PoissonNLLLoss: { log_input: [true], full: [false], eps: [1e-8] },
  SmoothL1Loss: { beta: [1] },
  Softplus: { beta: [1], threshold: [20] },
  SyncBatchNorm: { process_group: [null] },
};

/**
 * Whether a setting is known not to be computed with.
 *
 * @internal
 */
export function isUncomputed(callee: string, setting: string): boolean {
  return fieldOf(fieldOf(uncomputed, callee), setting) !== undefined;
}

/** Says of settings that are taken and not computed with, once of each in one reading. */
export class TorchSettings {
  private readonly said = new Set<string>();

  /** @param args those with names; a leading `_` marks one that the operator does not take */
  say(callee: string, args: readonly Argument[], context: Context): void {
    const own = Object.hasOwn(uncomputed, callee) ? fieldOf(uncomputed, callee) : undefined;
    if (own === undefined) return;
    for (const { name, value, span } of args) {
      const setting = name?.replace(/^_/, "") ?? "";
      const same = Object.hasOwn(own, setting) ? fieldOf(own, setting) : undefined;
      const id = `${callee}.${setting}`;
      if (same === undefined || this.said.has(id) || isAmong(value, same)) continue;
      this.said.add(id);
      context.report({
        code: "document/setting-not-computed",
        severity: "warning",
        message: `"${setting}" of ${callee} is not computed with: shapes stand, elements are those without it`,
        span,
      });
    }
  }
}

function isAmong(value: Value, plains: readonly Plain[]): boolean {
  switch (value.kind) {
    case "none":
      return plains.includes(null);
    case "int":
    case "float":
      return plains.includes(Number(value.value));
    case "str":
    case "bool":
      return plains.includes(value.value);
    default:
      return false;
  }
}
