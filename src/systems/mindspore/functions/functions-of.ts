/** Whose functions: of `mindspore.ops`, `mindspore.mint`, `mint.nn.functional`, or methods of tensors. */
export type FunctionsOf = "ops" | "mint" | "functional" | "Tensor";
