export { nnscalerReshard } from "./adapter-reshard.ts";
export { nnscaler } from "./system.ts";
export { nodesOfText, type TextModel } from "./text-model.ts";
