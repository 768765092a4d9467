export { torchCode } from "./code-writer.ts";
export { torchDialect, torchName } from "./dialect.ts";
export { elementFunction } from "./prologue.ts";
