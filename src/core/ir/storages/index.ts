// In whose memory tensors lie, and what of them is kept for the backward pass.

export type { KeepRule, Kept } from "./entry-keeps.ts";
export type { CopiedOperand } from "./product-copies.ts";
export { type Storages, storagesOf, withStrides } from "./storages.ts";
export { viewStrides } from "./strides.ts";
