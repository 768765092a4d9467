export { nnscalerReshard } from "./adapter-reshard.ts";
export { fusedPair } from "./fused-pair.ts";
export { nnscaler } from "./system.ts";
