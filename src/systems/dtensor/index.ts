export { dtensorReshard } from "./dtensor-reshard.ts";
export { type MeshText, plainOrder } from "./export/warnings.ts";
export { dtensor } from "./system.ts";
export { cutConvolutions, wrongGather, wrongMesh, wrongNumbers } from "./wrong-numbers.ts";
