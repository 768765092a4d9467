export { nnscalerReshard } from "./adapter-reshard.ts";
export { fusedPair } from "./fused-pair.ts";
export { nnscalerWords } from "./own-words/own-words.ts";
export { nnscaler } from "./system.ts";
