// Data types in which operators compute, by the policy of data types.

/**
 * Class of an operator by the data type in which it computes: `low` for products; `single` (f32)
 * for sums, and for functions that fall off steeply.
 */
export type CastingClass = "low" | "single";

const named = (casting: CastingClass, names: string) =>
  names.split(/\s+/u).map((name) => [name, casting] as const);

/** The losses, which every policy computes in single precision. */
const losses = `cross_entropy nll_loss mse_loss l1_loss smooth_l1_loss huber_loss kl_div
  binary_cross_entropy binary_cross_entropy_with_logits poisson_nll_loss hinge_embedding_loss
  cosine_embedding_loss margin_ranking_loss triplet_margin_loss soft_margin_loss gaussian_nll_loss
  multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss`;

const ofLosses: ReadonlyMap<string, CastingClass> = new Map(named("single", losses));

/** The classes of usual mixed precision (Micikevicius et al. 2018), by library entry. */
const ofAll: ReadonlyMap<string, CastingClass> = new Map([
  ...ofLosses,
  ...named(
    "low",
    `matmul linear einsum addmm attention prelu conv1d conv2d conv3d conv_transpose2d`,
  ),
  ...named(
    "single",
    `layer_norm rms_norm group_norm softmax log_softmax softmin logsumexp exp expm1 log log2 log10
     log1p reciprocal rsqrt pow square sinh cosh tan asinh softplus cumsum cumprod sum prod norm`,
  ),
]);

/**
 * The class of an entry; under `autocast` all entries have theirs, under other policies losses
 * alone.
 */
export function castingOf(
  entry: string | undefined,
  isAutocast: boolean,
): CastingClass | undefined {
  return entry === undefined ? undefined : (isAutocast ? ofAll : ofLosses).get(entry);
}
