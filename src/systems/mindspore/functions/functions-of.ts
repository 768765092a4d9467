/**
 * The family of a function: `mindspore.ops`, `mindspore.mint`, `mint.nn.functional`,
 * `mindspore.numpy`, or methods of tensors.
 */
export type FunctionsOf = "ops" | "mint" | "functional" | "numpy" | "Tensor";
