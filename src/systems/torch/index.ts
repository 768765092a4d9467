export { type BoundTorch, torchIn } from "./bindings/bound-torch.ts";
export { torchDialect, torchName } from "./dialect.ts";
export { elementFunction } from "./prologue.ts";
export { torch } from "./system.ts";
