export { commonRefinement, partsOfMatrix } from "./arrangement.ts";
export { attributeReach } from "./attributes.ts";
export { batchParallelPieces } from "./batch-parallel.ts";
export { checkDeviceCount, checkPieces } from "./devices.ts";
export {
  callLayout,
  constructLayout,
  type Fault,
  type LayoutSpec,
  type MapEntry,
  type Plain,
} from "./layout.ts";
export { reducedLayout, unequalLists } from "./out-strategy.ts";
export { checkParallelMode } from "./parallel-mode.ts";
export { type AxisCuts, axisCuts, deviceMatrix, type Entry, type TupleStrategy } from "./shard.ts";
