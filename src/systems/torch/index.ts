export { type BoundTorch, torchIn } from "./bindings/bound-torch.ts";
export { torchDialect, torchName } from "./dialect.ts";
export { modulesOfText } from "./modules/text-modules.ts";
export { elementFunction } from "./prologue.ts";
export { correctionFunctions, stateFunctions } from "./state-functions.ts";
export { torch } from "./system.ts";
