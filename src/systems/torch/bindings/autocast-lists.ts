import type { Casting } from "#language/document/bindings/types";

const named = (casting: Casting, names: string) =>
  names.split(/\s+/).map((name) => [name, casting] as const);

/**
 * Casts of autocast on a GPU in PyTorch 2.13, by function name and by the name of the library's
 * entry.
 */
const onGpu: ReadonlyMap<string, Casting> = new Map([
  ...named(
    "low",
    `matmul mm bmm linear addmm addmv addr addbmm baddbmm mv chain_matmul multi_dot vecdot prelu
     conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d conv_tbc convolution
     attention scaled_dot_product_attention einsum rnn gru lstm rnn_cell gru_cell lstm_cell`,
  ),
  ...named(
    "single",
    `acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow softplus
     arccos arcsin layer_norm group_norm cosine_similarity poisson_nll_loss cosine_embedding_loss
     nll_loss hinge_embedding_loss kl_div l1_loss smooth_l1_loss huber_loss mse_loss
     margin_ranking_loss multilabel_margin_loss soft_margin_loss triplet_margin_loss
     multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist renorm logsumexp
     cross_entropy native_layer_norm rms_norm square interpolate lp_pool1d lp_pool2d lp_pool3d
     local_response_norm pairwise_distance`,
  ),
  ...named(
    "single-result",
    "softmax log_softmax softmin cumsum cumprod sum prod norm vector_norm matrix_norm",
  ),
  ...named(
    "widest",
    "addcdiv addcmul atan2 arctan2 bilinear cross inner dot vdot grid_sample index_put tensordot scatter_add",
  ),
]);

/** The operators that autocast casts on a CPU. */
const onCpu: ReadonlyMap<string, Casting> = new Map([
  ...named(
    "low",
    `matmul mm bmm linear addmm addbmm baddbmm chain_matmul multi_dot vecdot conv1d conv2d conv3d
     conv_transpose1d conv_transpose2d conv_transpose3d conv_tbc attention einsum
     scaled_dot_product_attention prelu rnn gru lstm rnn_cell lstm_cell`,
  ),
  ...named(
    "single",
    `avg_pool3d local_response_norm cross_entropy binary_cross_entropy grid_sample polar prod quantile nanquantile stft cdist
     trace view_as_complex cholesky inverse pinverse mse_loss cosine_embedding_loss nll_loss
     hinge_embedding_loss poisson_nll_loss smooth_l1_loss l1_loss huber_loss
     margin_ranking_loss soft_margin_loss triplet_margin_loss multi_margin_loss ctc_loss kl_div
     multilabel_margin_loss binary_cross_entropy_with_logits cond matrix_rank solve
     cholesky_ex svdvals eigvalsh inv det qr svd eigh lstsq inv_ex`,
  ),
  ...named("widest", "concat cat stack index_copy"),
]);

/** How the operators of a device are cast, by their names. */
export function castingOf(device: string): (name: string) => Casting | undefined {
  const list = device === "cpu" ? onCpu : onGpu;
  return (name) => list.get(name);
}
