/**
 * Functions of torch that nnScaler can split: the functional and operator names of its table
 * (nnscaler/graph/parser/mapping.py, release v0.8). Everything else becomes an operator that runs
 * replicated, with the warning "Find unknown pytorch operation" (register_custom_op.md).
 */
const known: ReadonlySet<string> = new Set(
  [
    "linear dropout sum mean outer erf abs exp sqrt log svd diag rsqrt clamp clamp_min squeeze",
    "unsqueeze type_as gather ceil sign triu tril relu silu log_sigmoid gelu eq ne max min where",
    "nonzero nan_to_num type long int float bool fill_ masked_fill masked_fill_ cumsum sigmoid",
    "tanh softmax log_softmax bmm pow baddbmm permute transpose expand expand_as arange linspace",
    "detach index_select finfo inverse bitwise_or bitwise_not embedding einsum unfold nll_loss",
    "l1_loss norm layer_norm scaled_dot_product_attention size to dim getitem setitem matmul mm",
    "cross_entropy empty zeros zeros_like ones ones_like tensor full full_like rand rand_like",
    "randn randn_like clone isnan isinf any add addmm sub mul multiply div true_divide",
    "floor_divide neg gt lt ge le sin cos view contiguous reshape conv1d conv_transpose1d conv2d",
    "conv_transpose2d pad repeat cat stack chunk flatten split topk",
  ].flatMap((line) => line.split(" ")),
);

/** Whether nnScaler knows a function of torch by the last part of its name, e.g. `layer_norm`. */
export function knowsFunction(name: string): boolean {
  return known.has(name);
}
