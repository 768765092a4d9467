export { commonRefinement, partsOfMatrix } from "./arrangement.ts";
export { checkDeviceCount, checkPieces } from "./devices.ts";
export { type AxisCuts, axisCuts, deviceMatrix, type Entry, type TupleStrategy } from "./shard.ts";
