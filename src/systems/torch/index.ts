export { torchDialect, torchName } from "./dialect.ts";
export { elementFunction } from "./prologue.ts";
export { writeTorch } from "./write-torch.ts";
