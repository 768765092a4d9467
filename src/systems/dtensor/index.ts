export { cutConvolutions } from "./cut-convolution.ts";
export { dtensorReshard } from "./dtensor-reshard.ts";
export { type MeshText, plainOrder } from "./plain-order.ts";
export { dtensor } from "./system.ts";
export { wrongGather, wrongMesh, wrongNumbers } from "./wrong-numbers.ts";
