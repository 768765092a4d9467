/**
 * Functions of torch that nnScaler can split, by the module in which a program names them. These
 * are functions in its table (`nnscaler/graph/parser/mapping.py`, release 0.8), as its parser
 * resolves every public function (`function-mapping.json`), and `torch.finfo`, a class. Everything
 * else becomes an operator that runs replicated, with the warning "Find unknown pytorch operation"
 * (register_custom_op.md).
 */
const torchNames: ReadonlySet<string> = new Set(
  [
    "abs add addmm any arange baddbmm bitwise_not bitwise_or bmm cat ceil chunk clamp clamp_min",
    "clone conv1d conv2d conv_transpose1d conv_transpose2d cos cumsum detach diag div einsum",
    "empty eq erf exp fill_ finfo flatten floor_divide full full_like gather ge gt index_select inverse",
    "isinf isnan le linspace log lt masked_fill matmul max mean min mm mul multiply nan_to_num ne",
    "neg nonzero norm ones ones_like outer permute pow rand rand_like randn randn_like reshape",
    "rsqrt sigmoid sign sin softmax split sqrt squeeze stack sub sum svd tanh tensor topk",
    "transpose tril triu true_divide unsqueeze view_as_complex view_as_real where zeros",
    "zeros_like",
  ].flatMap((line) => line.split(" ")),
);

/** Functions of torch.nn.functional: `F.relu` is in the table, `torch.relu` is not. */
const functionalNames: ReadonlySet<string> = new Set(
  [
    "conv1d conv2d conv_transpose1d conv_transpose2d cross_entropy dropout embedding gelu l1_loss",
    "layer_norm linear log_softmax logsigmoid nll_loss pad relu scaled_dot_product_attention",
    "sigmoid silu softmax unfold",
  ].flatMap((line) => line.split(" ")),
);

const tables: Readonly<Record<string, ReadonlySet<string>>> = {
  torch: torchNames,
  "torch.functional": torchNames,
  "torch.nn.functional": functionalNames,
};

/** Whether nnScaler knows a function of torch by its full name, e.g. `torch.nn.functional.relu`. */
export function knowsFunction(path: string): boolean {
  const at = path.lastIndexOf(".");
  return tables[path.slice(0, at)]?.has(path.slice(at + 1)) === true;
}
