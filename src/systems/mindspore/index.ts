export { commonRefinement, partsOfMatrix } from "./arrangement.ts";
export { attributeReach } from "./attributes.ts";
export { batchParallelPieces } from "./batch-parallel.ts";
export { checkDeviceCount, checkPieces } from "./devices.ts";
export { type EdgeList, edgeLists } from "./edge-lists.ts";
export {
  callLayout,
  constructLayout,
  type Fault,
  type LayoutSpec,
  type MapEntry,
  type Plain,
} from "./layout.ts";
export { mindsporeReshard } from "./mindspore-reshard.ts";
export type { OperatorCall } from "./operators/call.ts";
export { defaultStrategy } from "./operators/default-strategy.ts";
export {
  modelOperator,
  type OperatorModel,
  type WrittenStrategy,
} from "./operators/model-operator.ts";
export { hasRule } from "./operators/rules.ts";
export { reducedLayout, unequalLists } from "./out-strategy.ts";
export { checkParallelMode } from "./parallel-mode.ts";
export { redistributionFault } from "./redistribution/check-tensor.ts";
export { costOf } from "./redistribution/cost.ts";
export { emittedList, offlineLists } from "./redistribution/emitted.ts";
export type { MappedTensor } from "./redistribution/flat-layout.ts";
export type { LogicalOperator } from "./redistribution/infer-operators.ts";
export { primitiveNames } from "./redistribution/primitives.ts";
export { redistribute } from "./redistribution/redistribute.ts";
export type { SearchEdge, SearchGraph, SearchOperator } from "./search/search-graph.ts";
export { searchedStrategies } from "./search/searched-strategies.ts";
export { type AxisCuts, axisCuts, deviceMatrix, type Entry, type TupleStrategy } from "./shard.ts";
