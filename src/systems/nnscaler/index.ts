export { nnscalerReshard } from "./adapter-reshard.ts";
export { nnscaler } from "./system.ts";
export { nodesOfText } from "./text-model.ts";
