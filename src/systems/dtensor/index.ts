export { dtensorReshard } from "./dtensor-reshard.ts";
export { dtensor } from "./system.ts";
