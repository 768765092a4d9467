// Which tensors share memory, and which tensors the backward pass keeps.

export type { SavedMemory, SaveRule } from "./entry-keeps.ts";
export type { CopiedOperand } from "./product-copies.ts";
export { type Storages, storagesOf, withStrides } from "./storages.ts";
export { isContiguous, viewStrides } from "./strides.ts";
