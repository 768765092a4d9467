export { dtensorReshard } from "./dtensor-reshard.ts";
