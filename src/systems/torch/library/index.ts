export { writtenLayerParameters } from "./layer-parameters.ts";
export { type Library, libraries } from "./libraries.ts";
export { broadcastingNames, elementWiseNames } from "./names.ts";
export { publishedModel } from "./published-models.ts";
