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

/** Known by their functional form alone: `F.relu`, but not `torch.relu`. */
const functionalOnly: ReadonlySet<string> = new Set(
  "relu silu gelu dropout log_softmax log_sigmoid embedding layer_norm unfold nll_loss".split(" "),
);

/** Whether nnScaler knows a function of torch by its full name, e.g. `torch.nn.functional.relu`. */
export function knowsFunction(path: string): boolean {
  const name = path.split(".").at(-1) ?? "";
  const isFunctional = path.includes(".functional.");
  return known.has(name) && (isFunctional || !functionalOnly.has(name));
}
