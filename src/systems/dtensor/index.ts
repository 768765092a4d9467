export { dtensorReshard } from "./dtensor-reshard.ts";
export { type MeshText, plainOrder } from "./plain-order.ts";
export { dtensor } from "./system.ts";
export { wrongBlocks, wrongMesh, wrongNumbers } from "./wrong-numbers.ts";
