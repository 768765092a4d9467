export { type Library, libraries } from "./libraries.ts";
export { broadcastingNames, elementWiseNames } from "./names.ts";
