export { nnscalerCode, nnscalerPolicyCode } from "./code-writer.ts";
