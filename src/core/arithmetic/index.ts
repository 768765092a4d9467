export { broadcastShape } from "./broadcast-shape.ts";
export { byteSizeForms, readByteSize } from "./byte-size.ts";
export { greatestCommonDivisor, leastCommonMultiple } from "./integers.ts";
export { product, sum } from "./totals.ts";
