export { nnscalerReshard } from "./adapter-reshard.ts";
export { nnscaler } from "./system.ts";
