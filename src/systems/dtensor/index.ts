export { dtensorReshard } from "./dtensor-reshard.ts";
export { type Placement, placementsOf } from "./placement.ts";
